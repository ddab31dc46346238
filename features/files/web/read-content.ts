import { callRaw } from '@headwater/web-kit'
import { downloadFile, type getMarkdown } from '../contract/index.ts'

/** Types in which the content of a file can be read. */
interface ContentForms {
  /** Decoded as UTF-8; invalid bytes are replaced. */
  text: string
  /** For images and documents that the browser displays itself. */
  blob: Blob
  /** For code that decodes the bytes. */
  arraybuffer: ArrayBuffer
}

/** Name of a type in which content can be read. */
export type ContentForm = keyof ContentForms

/** A route that returns the content of a version of a file. */
export type ContentRoute = typeof downloadFile | typeof getMarkdown

/**
 * Fetches the content of a version of a file as the given type.
 * @param route call to use, default the download of any file
 */
export async function readContent<Form extends ContentForm>(
  fid: string,
  form: Form,
  signal?: AbortSignal,
  route: ContentRoute = downloadFile,
): Promise<ContentForms[Form]> {
  const response = await callRaw(route, { params: { fid } }, signal === undefined ? {} : { signal })
  const readers: { [Each in ContentForm]: () => Promise<ContentForms[Each]> } = {
    text: () => response.text(),
    blob: () => response.blob(),
    arraybuffer: () => response.arrayBuffer(),
  }
  return readers[form]()
}
