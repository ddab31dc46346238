import { getDocument, GlobalWorkerOptions, PasswordResponses, type PDFDocumentProxy } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- the build returns the URL of the file
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { PdfResources } from './pdf-resources.ts'

export { TextLayer, type PDFDocumentProxy, type PDFPageProxy, type RenderTask } from 'pdfjs-dist'

/** An open PDF file. */
export interface OpenPdf {
  /** The document; rejects if the file cannot be opened. */
  pdf: Promise<PDFDocumentProxy>
  /** Closes the file and ends its worker. */
  close: () => void
}

/** A prompt for the password of a protected file. */
export interface PdfPasswordPrompt {
  /** Whether the last password was wrong. */
  isWrong: boolean
  /** Submits a password. */
  submit: (password: string) => void
}

/**
 * Opens a PDF file in a worker of this site. Its scripts do not run, and it loads no URLs.
 * @param onPassword called for a protected file; without it such a file cannot be opened
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
      // pdf.js loads only resources with a URL; PdfResources has the real URLs
      cMapUrl: '/',
      standardFontDataUrl: '/',
      wasmUrl: '/',
    })
    if (onPassword !== undefined)
      task.onPassword = (submit: (password: string) => void, reason: number) =>
        onPassword({ isWrong: reason === PasswordResponses.INCORRECT_PASSWORD, submit })
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

/** Returns the message of a PDF file that cannot be displayed. */
export function pdfProblem(error: unknown, fileName: string): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'PasswordException')
    return `${fileName} is protected by a password. Save a copy without one to show it here.`
  return `${fileName} cannot be read as a PDF. Open it in another program to see whether it is damaged.`
}
