/** Maximum size of a file, in bytes. */
const maxBytes = 4_000_000

/** Returns the text of a file that the user chose; empty if the file is too large. */
export async function readFileText(file: File): Promise<string> {
  return file.size > maxBytes ? '' : file.text()
}
