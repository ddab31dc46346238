import { useEffect, useRef, useState } from 'react'
import type { PDFDocumentProxy } from './open-pdf.ts'
import { PdfPage, type PageShape } from './PdfPage.tsx'
import styles from './PdfPages.module.css'

/** All pages of a PDF file in one column; pages near the view are drawn. */
export function PdfPages({
  pdf,
  label,
  widthOf,
  onPage,
}: {
  pdf: PDFDocumentProxy
  /** Accessible name. */
  label: string
  /** Returns the width of a page in pixels, from its shape in points and the available width. */
  widthOf: (shape: PageShape, frameWidthPx: number) => number
  /** Called with the number of the page in the middle of the view, from 1. */
  onPage: (page: number) => void
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [widthPx, setWidthPx] = useState(0)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWidthPx(Math.floor(entry!.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const firstShape = useFirstShape(pdf)
  function onScroll() {
    const element = frame.current
    if (element === null) return
    const middle = element.getBoundingClientRect().top + element.clientHeight / 2
    const pages = [...element.children].filter((child) => child.getBoundingClientRect().top <= middle)
    onPage(Math.max(1, pages.length))
  }
  return (
    <div
      ref={frame}
      className={styles.pages}
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={onScroll}
    >
      {widthPx === 0 || firstShape === undefined
        ? null
        : Array.from({ length: pdf.numPages }, (_, index) => (
            <PdfPage
              key={index}
              pdf={pdf}
              number={index + 1}
              widthOf={(shape) => widthOf(shape, widthPx)}
              firstShape={firstShape}
              root={frame}
            />
          ))}
    </div>
  )
}

/** Returns the shape of the first page, which is assumed for pages that are not drawn yet. */
function useFirstShape(pdf: PDFDocumentProxy): PageShape | undefined {
  const [shape, setShape] = useState<PageShape>()
  useEffect(() => {
    let gone = false
    pdf.getPage(1).then(
      (page) => {
        if (!gone) setShape(page.getViewport({ scale: 1 }))
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [pdf])
  return shape
}
