import { type RefObject, useEffect, useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { type PDFDocumentProxy, type PDFPageProxy, type RenderTask, TextLayer } from './open-pdf.ts'
import styles from './PdfPages.module.css'

/** Size of a page. */
export interface PageShape {
  /** Width in points. */
  width: number
  /** Height in points. */
  height: number
}

/** Pages within this distance of the view are drawn, in pixels. */
const nearPx = 600
/** Maximum number of pixels of a page, because large pages need much memory. */
const maxPixels = 16_000_000

/** A page: its image, with invisible text on top for selection and screen readers. */
export function PdfPage({
  pdf,
  number,
  widthOf,
  firstShape,
  root,
}: {
  pdf: PDFDocumentProxy
  /** Number of the page, from 1. */
  number: number
  /** Returns the width of a page of this shape, in pixels. */
  widthOf: (shape: PageShape) => number
  firstShape: PageShape
  /** The scroll container of the pages. */
  root: RefObject<HTMLElement | null>
}) {
  const container = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(container, root)
  const page = usePage(pdf, number, isNear)
  const shape = page?.getViewport({ scale: 1 }) ?? firstShape
  const widthPx = Math.max(1, Math.floor(widthOf(shape)))
  const [isBlank, setBlank] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (page === undefined || canvas.current === null || text.current === null || !isNear) return
    return drawPage(page, widthPx, canvas.current, text.current, setBlank)
  }, [page, widthPx, isNear])
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
      {isNear ? (
        <>
          <canvas ref={canvas} aria-hidden="true" />
          <div ref={text} className={styles.text} />
          {isBlank ? <p className={styles.blank}>Page is empty.</p> : null}
        </>
      ) : null}
    </div>
  )
}

/** Returns whether an element is in the view or less than {@link nearPx} outside it. */
function useIsNear(container: RefObject<HTMLElement | null>, root: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (container.current === null) return
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      root: root.current,
      rootMargin: `${nearPx}px 0px`,
    })
    observer.observe(container.current)
    return () => observer.disconnect()
  }, [container, root])
  return isNear
}

/** Loads a page while it is wanted; undefined until it is loaded, and if it cannot be read: the page stays empty. */
function usePage(pdf: PDFDocumentProxy, number: number, wanted: boolean): PDFPageProxy | undefined {
  const [page, setPage] = useState<PDFPageProxy>()
  useEffect(() => {
    if (!wanted) return
    let isCancelled = false
    pdf.getPage(number).then(
      (loaded) => {
        if (!isCancelled) setPage(loaded)
      },
      () => undefined,
    )
    return () => {
      isCancelled = true
    }
  }, [pdf, number, wanted])
  return page
}

/** The current drawing of each canvas. */
const drawings = new WeakMap<HTMLCanvasElement, Promise<void>>()

/** Draws the image of a page and places its text above it, and reports whether the image is blank. Returns a function that cancels both. */
function drawPage(
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
  let isCancelled = false
  // One drawing at a time, because the previous one must release the canvas first.
  const drawing = (drawings.get(canvas) ?? Promise.resolve()).then(() => {
    if (isCancelled) return
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
    isCancelled = true
    task?.cancel()
    layer.cancel()
    text.replaceChildren()
  }
}

/** Number of pixel rows that are read at once. */
const stripRows = 64

/** Returns whether an image is completely white. */
function isWhite(canvas: HTMLCanvasElement): boolean {
  const context = canvas.getContext('2d')
  if (context === null) return false
  for (let top = 0; top < canvas.height; top += stripRows) {
    const { data } = context.getImageData(0, top, canvas.width, Math.min(stripRows, canvas.height - top))
    if (!new Uint32Array(data.buffer).every((pixel) => pixel === 0xffffffff)) return false
  }
  return true
}
