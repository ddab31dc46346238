import { tooLargeText } from '@headwater/tile-data/web'

/** Files that can be uploaded for a tile. */
export interface UploadKind {
  /** Noun in the singular: `PNG or JPEG image`. */
  noun: string
  /** File extensions, without the dot, in lower case. */
  extensions: readonly string[]
  /** Maximum file size in bytes. */
  limitBytes: number
  /** Whether the content matches the extension. */
  matches: (content: Blob) => Promise<boolean>
}

/** Returns the reason why the chosen files cannot be uploaded, as text for users; undefined for a single valid file. */
export async function uploadProblem(files: readonly File[], kind: UploadKind): Promise<string | undefined> {
  const { noun, extensions, limitBytes, matches } = kind
  const [file] = files
  if (file === undefined || files.length > 1) return `The tile shows one ${noun}. Choose one file.`
  const name = file.name.toLowerCase()
  if (!extensions.some((each) => name.endsWith(`.${each}`)))
    return `${file.name} is not a ${noun}. Choose a file that ends in ${endings(extensions)}.`
  if (file.size > limitBytes) return tooLargeText(file.name, file.size, limitBytes)
  // A folder has a name and a size like a file, but cannot be read.
  const fits = await matches(file).catch(() => undefined)
  if (fits === undefined) return `${file.name} could not be read. It may have been moved. Choose it again.`
  return fits ? undefined : `${file.name} is not a ${noun}, despite its name. Choose another file.`
}

function endings(extensions: readonly string[]): string {
  const all = extensions.map((each) => `.${each}`)
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}
