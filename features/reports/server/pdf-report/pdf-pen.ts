import type { Pen, TextMeasure } from '@headwater/charts/drawing'
import type { Fonts, Weight } from './pdf-layout.ts'

type PenState = Pick<
  PdfPen,
  'fillStyle' | 'strokeStyle' | 'globalAlpha' | 'lineWidth' | 'lineJoin' | 'lineCap'
> & { dash: string }

/** Draws charts into a PDF document with its vector operations. Paths are collected first, because drawing a path ends it in a PDF. */
export class PdfPen implements Pen {
  font = ''
  textAlign: Pen['textAlign'] = 'left'
  textBaseline: Pen['textBaseline'] = 'middle'
  lineJoin: Pen['lineJoin'] = 'miter'
  lineCap: Pen['lineCap'] = 'butt'
  lineWidth = 1
  globalAlpha = 1
  strokeStyle = '#000000'
  fillStyle = '#000000'
  #dash = ''
  #path: string[] = []
  #circles: { x: number; y: number; radius: number }[] = []
  /** Rectangles of one colour that are not drawn yet. As one shape they have no seams between them. */
  #rects: string[] = []
  #rectStyle: Pick<PenState, 'fillStyle' | 'globalAlpha'> = { fillStyle: '', globalAlpha: 1 }
  readonly #saved: PenState[] = []
  readonly #document: PDFKit.PDFDocument
  readonly #fonts: Fonts

  constructor(document: PDFKit.PDFDocument, fonts: Fonts) {
    this.#document = document
    this.#fonts = fonts
  }

  /** Draws what has been collected. */
  finish(): void {
    if (this.#rects.length === 0) return
    this.#fillWith(this.#rects.splice(0), this.#rectStyle)
  }

  save(): void {
    this.finish()
    const { fillStyle, strokeStyle, globalAlpha, lineWidth, lineJoin, lineCap } = this
    this.#saved.push({ fillStyle, strokeStyle, globalAlpha, lineWidth, lineJoin, lineCap, dash: this.#dash })
    this.#document.save()
  }

  restore(): void {
    this.finish()
    const { dash, ...state } = this.#saved.pop()!
    Object.assign(this, state)
    this.#dash = dash
    this.#document.restore()
  }

  beginPath(): void {
    this.#path = []
    this.#circles = []
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`${n(x)} ${n(y)} m`)
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`${n(x)} ${n(y)} l`)
  }

  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
    this.#path.push(`${n(ax)} ${n(ay)} ${n(bx)} ${n(by)} ${n(x)} ${n(y)} c`)
  }

  closePath(): void {
    this.#path.push('h')
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(rectangle(x, y, width, height))
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const { fillStyle, globalAlpha } = this
    const before = this.#rectStyle
    if (fillStyle !== before.fillStyle || globalAlpha !== before.globalAlpha) {
      this.finish()
      this.#rectStyle = { fillStyle, globalAlpha }
    }
    this.#rects.push(rectangle(x, y, width, height))
  }

  /** Supports full circles only. */
  arc(x: number, y: number, radius: number): void {
    // Charts move to the beginning of each circle.
    if (this.#path.at(-1)?.endsWith('m') === true) this.#path.pop()
    this.#circles.push({ x, y, radius })
  }

  clip(): void {
    this.finish()
    this.#document.addContent(`${this.#path.join('\n')}\nW n`)
  }

  transform(a: number, b: number, c: number, d: number, e: number, f: number): void {
    this.finish()
    this.#document.transform(a, b, c, d, e, f)
  }

  setLineDash(lengths: readonly number[]): void {
    this.#dash = lengths.map(n).join(' ')
  }

  fill(): void {
    this.finish()
    this.#fillWith(this.#path, this)
    this.#fillCircles()
  }

  stroke(): void {
    this.finish()
    if (this.#path.length === 0) return
    this.#setStroke(this.strokeStyle)
    const join = { miter: 0, round: 1, bevel: 2 }[this.lineJoin]
    const cap = { butt: 0, round: 1, square: 2 }[this.lineCap]
    this.#document.addContent(
      `${n(this.lineWidth)} w ${join} j ${cap} J [${this.#dash}] 0 d\n${this.#path.join('\n')}\nS`,
    )
  }

  fillText(text: string, x: number, y: number): void {
    this.finish()
    const { weight, size } = fontOf(this.font)
    const printed = this.#fonts.printable(text.replaceAll('\n', ' '))
    const width = this.#fonts.measure(weight).widthOf(printed) * size
    const shift = { left: 0, start: 0, center: width / 2, right: width, end: width }[this.textAlign]
    this.#setFill(this)
    // The middle of letters is this far above the baseline.
    const baseline = y + size * 0.35
    this.#document
      .font(weight)
      .fontSize(size)
      .text(printed, x - shift, baseline, { lineBreak: false, baseline: 'alphabetic' })
  }

  #fillWith(path: readonly string[], style: Pick<PenState, 'fillStyle' | 'globalAlpha'>): void {
    if (path.length === 0) return
    this.#setFill(style)
    this.#document.addContent(`${path.join('\n')}\nf`)
  }

  /** Draws circles as the round ends of lines without length, which needs a tenth of the bytes of curves. */
  #fillCircles(): void {
    const bySize = Map.groupBy(this.#circles, ({ radius }) => radius)
    for (const [radius, circles] of bySize) {
      this.#setStroke(this.fillStyle)
      const dots = circles.map(({ x, y }) => `${n(x)} ${n(y)} m ${n(x)} ${n(y)} l`)
      this.#document.addContent(`${n(2 * radius)} w 1 J [] 0 d\n${dots.join('\n')}\nS`)
    }
  }

  #setFill({ fillStyle, globalAlpha }: Pick<PenState, 'fillStyle' | 'globalAlpha'>): void {
    const { rgb, alpha } = colourOf(fillStyle)
    this.#document.fillColor(rgb, globalAlpha * alpha)
  }

  #setStroke(style: string): void {
    const { rgb, alpha } = colourOf(style)
    this.#document.strokeColor(rgb, this.globalAlpha * alpha)
  }
}

/** Measures texts in the fonts of a document. */
export function textMeasure(fonts: Fonts): TextMeasure {
  return {
    font: '',
    measureText(text) {
      const { weight, size } = fontOf(this.font)
      return { width: fonts.measure(weight).widthOf(text) * size }
    },
  }
}

function fontOf(font: string): { weight: Weight; size: number } {
  const [, weight, size] = /^(\d+ )?([\d.]+)px/.exec(font)!
  return { weight: Number(weight ?? 400) < 600 ? 'regular' : 'bold', size: Number(size) }
}

const hexColour = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
/** Colour of invalid colours, as on screen. */
const grey = '#808080'

/** Splits a CSS colour with hexadecimal digits into its colour and its opacity. */
function colourOf(style: string): { rgb: string; alpha: number } {
  const [, digits] = hexColour.exec(style) ?? []
  if (digits === undefined) return { rgb: grey, alpha: 1 }
  const long = digits.length < 6 ? digits.replaceAll(/./g, '$&$&') : digits
  return {
    rgb: `#${long.slice(0, 6)}`,
    alpha: long.length === 8 ? Number.parseInt(long.slice(6), 16) / 255 : 1,
  }
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `${n(x)} ${n(y)} ${n(width)} ${n(height)} re`
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100)
}
