/**
 * Drawing operations, a subset of the canvas API. A canvas, the SVG writer and writers of other formats implement it. It
 * uses no browser types, so that charts can be drawn on a server.
 */
export interface Pen {
  /** Stores the state: styles, clip and transformation. */
  save(): void
  /** Restores the last stored state. */
  restore(): void
  /** Begins a path. */
  beginPath(): void
  /** Begins a subpath at a point. */
  moveTo(x: number, y: number): void
  /** Adds a line to a point. */
  lineTo(x: number, y: number): void
  /** Adds a cubic Bézier curve to the point (x, y). */
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void
  /** Adds a line to the start of the subpath. */
  closePath(): void
  /** Adds a rectangle. */
  rect(x: number, y: number, width: number, height: number): void
  /** Adds a circle; `from` is 0 and `to` is 2π. */
  arc(x: number, y: number, radius: number, from: number, to: number): void
  /** Clips further drawing to the path, until the state is restored. */
  clip(): void
  /** Fills the path. */
  fill(): void
  /** Strokes the path. */
  stroke(): void
  /** Sets lengths of dashes and gaps; an empty list means solid lines. */
  setLineDash(lengths: number[]): void
  /** Multiplies the transformation with a matrix. */
  transform(a: number, b: number, c: number, d: number, e: number, f: number): void
  /** Writes one line of text at a position; `textAlign` and `textBaseline` align it there. */
  fillText(text: string, x: number, y: number): void
  /** Fills a rectangle without changing the path. */
  fillRect(x: number, y: number, width: number, height: number): void
  /** Width of strokes. */
  lineWidth: number
  /** Join of strokes. */
  lineJoin: 'bevel' | 'miter' | 'round'
  /** Ends of strokes. */
  lineCap: 'butt' | 'round' | 'square'
  /** Opacity from 0 to 1. */
  globalAlpha: number
  /** CSS colour of strokes; a canvas also has patterns. */
  strokeStyle: string | object
  /** CSS colour of fills; a canvas also has patterns. */
  fillStyle: string | object
  /** Font as in CSS: an optional weight, the size in px, and the family. */
  font: string
  /** Horizontal position of texts. */
  textAlign: 'center' | 'end' | 'left' | 'right' | 'start'
  /** Vertical position of texts; charts use `middle`. */
  textBaseline: 'alphabetic' | 'bottom' | 'hanging' | 'ideographic' | 'middle' | 'top'
}

/** Measures texts in a font, like a canvas. */
export interface TextMeasure {
  /** Font, see {@link Pen.font}. */
  font: string
  /** Returns the width of text in this font. */
  measureText(text: string): {
    /** Width in pixels. */
    width: number
  }
}
