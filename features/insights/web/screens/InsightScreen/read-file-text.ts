/** The largest file that is read, in bytes. */
const maxBytes = 4_000_000

/** The text of a file that the user chose; empty for one that is too large. */
export async function readFileText(file: File): Promise<string> {
  return file.size > maxBytes ? '' : file.text()
}
