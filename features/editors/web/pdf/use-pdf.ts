import { useEffect, useState } from 'react'
import { openPdf, type PDFDocumentProxy, type PdfPasswordPrompt } from './open-pdf.ts'

/** State of opening a PDF file: the document, a problem, or the prompt for its password. */
export interface PdfState {
  /** The open document. */
  pdf?: PDFDocumentProxy
  /** The error of opening. */
  problem?: unknown
  /** The prompt for the password. */
  prompt?: PdfPasswordPrompt
}

/**
 * Opens a PDF file; returns undefined while it is being opened.
 * @param promptsForPassword whether a protected file causes a prompt instead of a problem; default false
 */
export function usePdf(
  content: Blob | undefined,
  { promptsForPassword = false }: { promptsForPassword?: boolean } = {},
): PdfState | undefined {
  const [state, setState] = useState<PdfState>()
  useEffect(() => {
    if (content === undefined) return
    let gone = false
    const update = (next: PdfState) => {
      if (!gone) setState(next)
    }
    const { pdf, close } = openPdf(content, promptsForPassword ? (prompt) => update({ prompt }) : undefined)
    pdf.then(
      (document) => update({ pdf: document }),
      (problem: unknown) => update({ problem }),
    )
    return () => {
      gone = true
      setState(undefined)
      close()
    }
  }, [content, promptsForPassword])
  return state
}
