import { useEffect, useState } from 'react'
import { openPdf, type PDFDocumentProxy, type PdfPasswordPrompt } from './open-pdf.ts'

/** A PDF file as far as it is open: its document, why it cannot be opened, or the prompt for its password. */
export interface PdfState {
  pdf?: PDFDocumentProxy
  problem?: unknown
  prompt?: PdfPasswordPrompt
}

/**
 * Opens a PDF file; undefined while it is being opened.
 * @param promptsForPassword whether a protected file leads to a prompt; otherwise it is a problem. Default false.
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
