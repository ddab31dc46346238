import { getDocument, GlobalWorkerOptions, PasswordResponses, type PDFDocumentProxy } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- the build answers the address of the file
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { PdfResources } from './pdf-resources.ts'

export { TextLayer, type PDFDocumentProxy, type PDFPageProxy, type RenderTask } from 'pdfjs-dist'

/** A PDF file that is open, and how to close it. */
export interface OpenPdf {
  pdf: Promise<PDFDocumentProxy>
  close: () => void
}

/** A file that is protected wants its password. */
export interface PdfPasswordPrompt {
  /** Whether one was given already, and it was wrong. */
  isWrong: boolean
  answer: (password: string) => void
}

/**
 * Opens a PDF file. It is read in a worker of this site; scripts in it never run and it reaches no address.
 * @param onPassword asked when the file is protected; without it such a file cannot be opened
 */
export function openPdf(content: Blob, onPassword?: (prompt: PdfPasswordPrompt) => void): OpenPdf {
  GlobalWorkerOptions.workerSrc = workerAddress
  let task: ReturnType<typeof getDocument> | undefined
  let closed = false
  const pdf = content.arrayBuffer().then((data) => {
    if (closed) throw new DOMException('The file was closed.', 'AbortError')
    task = getDocument({
      data,
      enableXfa: false,
      useWorkerFetch: false,
      BinaryDataFactory: PdfResources,
      // pdf.js asks for what it has an address for; PdfResources knows the real ones
      cMapUrl: '/',
      standardFontDataUrl: '/',
      wasmUrl: '/',
    })
    if (onPassword !== undefined)
      task.onPassword = (answer: (password: string) => void, reason: number) =>
        onPassword({ isWrong: reason === PasswordResponses.INCORRECT_PASSWORD, answer })
    return task.promise
  })
  return {
    pdf,
    close() {
      closed = true
      void task?.destroy()
    },
  }
}

/** Why a PDF file cannot be shown, in words for people. */
export function pdfProblem(error: unknown, fileName: string): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException')
    return `${fileName} is protected by a password. Save a copy without one to show it here.`
  return `${fileName} cannot be read as a PDF. Open it in another program to see whether it is damaged.`
}
