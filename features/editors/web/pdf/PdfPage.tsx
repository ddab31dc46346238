import { type RefObject, useEffect, useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from './open-pdf.ts'
import styles from './PdfPages.module.css'

/** Width and height of a page, in points. */
export interface PageShape {
  width: number
  height: number
}

/** How near to the view a page is drawn, in pixels. */
const nearPx = 600
/** The most pixels a page is drawn with, so that large pages do not use up the memory. */
const maxPixels = 16_000_000

/** One page: a picture, and its text above it, invisible, for selection and screen readers. */
export function PdfPage({
  pdf,
  number,
  widthOf,
  firstShape,
  root,
}: {
  pdf: PDFDocumentProxy
  /** Counted from 1. */
  number: number
  /** How wide a page of this shape is drawn, in pixels. */
  widthOf: (shape: PageShape) => number
  firstShape: PageShape
  /** What the pages scroll in. */
  root: RefObject<HTMLElement | null>
}) {
  const container = useRef<HTMLDivElement>(null)
  const near = useNear(container, root)
  const page = usePage(pdf, number, near)
  const shape = page?.getViewport({ scale: 1 }) ?? firstShape
  const widthPx = Math.max(1, Math.floor(widthOf(shape)))
  const [isBlank, setBlank] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (page === undefined || canvas.current === null || text.current === null || !near) return
    return draw(page, widthPx, canvas.current, text.current, setBlank)
  }, [page, widthPx, near])
  const style = {
    width: widthPx,
    height: Math.round((widthPx * shape.height) / shape.width),
    '--total-scale-factor': widthPx / shape.width,
  } as CSSProperties
  return (
    <div
      ref={container}
      className={styles.page}
      style={style}
      role="group"
      aria-label={`Page ${number} of ${pdf.numPages}`}
    >
      {near ? (
        <>
          <canvas ref={canvas} aria-hidden="true" />
          <div ref={text} className={styles.text} />
          {isBlank ? <p className={styles.blank}>Page is empty.</p> : null}
        </>
      ) : null}
    </div>
  )
}

function useNear(container: RefObject<HTMLElement | null>, root: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (container.current === null) return
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      root: root.current,
      rootMargin: `${nearPx}px 0px`,
    })
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [container, root])
  return near
}

function usePage(pdf: PDFDocumentProxy, number: number, wanted: boolean): PDFPageProxy | undefined {
  const [page, setPage] = useState<PDFPageProxy>()
  useEffect(() => {
    if (!wanted) return
    let gone = false
    pdf.getPage(number).then(
      (loaded) => {
        if (!gone) setPage(loaded)
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [pdf, number, wanted])
  return page
}

/** What is being drawn on each canvas. */
const drawings = new WeakMap<HTMLCanvasElement, Promise<void>>()

/** Draws a page, tells whether anything is on it, and puts its text over it; the answer ends all of it. */
function draw(
  page: PDFPageProxy,
  widthPx: number,
  canvas: HTMLCanvasElement,
  text: HTMLElement,
  onDrawn: (isBlank: boolean) => void,
): () => void {
  const natural = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: widthPx / natural.width })
  const density = Math.min(
    window.devicePixelRatio || 1,
    Math.sqrt(maxPixels / (viewport.width * viewport.height)),
  )
  let task: RenderTask | undefined
  let ended = false
  // one drawing at a time: the one before has to let go of the canvas first
  const drawing = (drawings.get(canvas) ?? Promise.resolve()).then(() => {
    if (ended) return
    canvas.width = Math.max(1, Math.floor(viewport.width * density))
    canvas.height = Math.max(1, Math.floor(viewport.height * density))
    const transform = density === 1 ? undefined : [density, 0, 0, density, 0, 0]
    task = page.render({ canvas, viewport, transform })
    return task.promise.then(
      () => {
        canvas.dataset.drawn = 'true'
        onDrawn(isWhite(canvas))
      },
      () => undefined,
    )
  })
  drawings.set(canvas, drawing)
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport })
  layer.render().catch(() => undefined)
  return () => {
    ended = true
    task?.cancel()
    layer.cancel()
    text.replaceChildren()
  }
}

/** How many rows of pixels are looked at together. */
const stripRows = 64

/** Whether there is nothing but white on a picture. */
function isWhite(canvas: HTMLCanvasElement): boolean {
  const context = canvas.getContext('2d')
  if (context === null) return false
  for (let top = 0; top < canvas.height; top += stripRows) {
    const { data } = context.getImageData(0, top, canvas.width, Math.min(stripRows, canvas.height - top))
    if (!new Uint32Array(data.buffer).every((pixel) => pixel === 0xffffffff)) return false
  }
  return true
}
