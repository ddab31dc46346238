import { tooLargeText } from '../data/file-limit.ts'

/** Which files may be uploaded for a tile. */
export interface UploadKind {
  /** What such a file is called, in the singular: `PNG or JPEG picture`. */
  noun: string
  /** Endings of their names, without the dot and in lower case. */
  extensions: readonly string[]
  /** The largest file that the tile shows. */
  limitBytes: number
  /** Whether the content is what the name says. */
  matches: (content: Blob) => Promise<boolean>
}

/** Why what was chosen or dropped is not uploaded, in words; undefined when it is one file of the kind. */
export async function uploadProblem(files: readonly File[], kind: UploadKind): Promise<string | undefined> {
  const { noun, extensions, limitBytes, matches } = kind
  const [file] = files
  if (file === undefined || files.length > 1) return `The tile shows one ${noun}. Choose one file.`
  const name = file.name.toLowerCase()
  if (!extensions.some((each) => name.endsWith(`.${each}`)))
    return `${file.name} is not a ${noun}. Choose a file that ends in ${endings(extensions)}.`
  if (file.size > limitBytes) return tooLargeText(file.name, file.size, limitBytes)
  // a folder has a name and a size like a file, and cannot be read
  const fits = await matches(file).catch(() => undefined)
  if (fits === undefined) return `${file.name} could not be read. Choose a file that is still there.`
  return fits ? undefined : `${file.name} is not a ${noun}, despite its name. Choose another file.`
}

function endings(extensions: readonly string[]): string {
  const all = extensions.map((each) => `.${each}`)
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}
