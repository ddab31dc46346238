import { useEffect, useState } from 'react'
import { openPdf, type PDFDocumentProxy, type PdfPasswordQuestion } from './open-pdf.ts'

/** A PDF file as far as it is open: its document, why it cannot be opened, or the question for its password. */
export interface PdfState {
  pdf?: PDFDocumentProxy
  problem?: unknown
  question?: PdfPasswordQuestion
}

/**
 * Opens a PDF file; undefined while it is being opened.
 * @param asksPassword whether a protected file leads to a question; otherwise it is a problem. Default false.
 */
export function usePdf(
  content: Blob | undefined,
  { asksPassword = false }: { asksPassword?: boolean } = {},
): PdfState | undefined {
  const [state, setState] = useState<PdfState>()
  useEffect(() => {
    if (content === undefined) return
    let gone = false
    const tell = (next: PdfState) => {
      if (!gone) setState(next)
    }
    const { pdf, close } = openPdf(content, asksPassword ? (question) => tell({ question }) : undefined)
    pdf.then(
      (document) => tell({ pdf: document }),
      (problem: unknown) => tell({ problem }),
    )
    return () => {
      gone = true
      setState(undefined)
      close()
    }
  }, [content, asksPassword])
  return state
}
