import { callRaw } from '@headwater/web-kit'
import { downloadFile } from '../contract/index.ts'

/** Forms in which the content of a file can be read. */
interface ContentForms {
  /** Decoded as UTF-8; invalid bytes are replaced. */
  text: string
  /** For pictures and documents, which the browser opens itself. */
  blob: Blob
  /** For code that decodes the bytes. */
  arraybuffer: ArrayBuffer
}

/** One of the forms of a content. */
export type ContentForm = keyof ContentForms

/** Fetches the content of a version of a file in the form that the caller needs. */
export async function readContent<Form extends ContentForm>(
  fid: string,
  form: Form,
  signal?: AbortSignal,
): Promise<ContentForms[Form]> {
  const response = await callRaw(downloadFile, { params: { fid } }, signal === undefined ? {} : { signal })
  const readers: { [Each in ContentForm]: () => Promise<ContentForms[Each]> } = {
    text: () => response.text(),
    blob: () => response.blob(),
    arraybuffer: () => response.arrayBuffer(),
  }
  return readers[form]()
}
