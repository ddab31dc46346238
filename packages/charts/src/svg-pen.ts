import type { Pen } from './pen.ts'

interface PenState {
  fillStyle: string
  strokeStyle: string
  globalAlpha: number
  lineWidth: number
  lineJoin: CanvasLineJoin
  lineCap: CanvasLineCap
  dash: string
  /** Number of open groups. */
  depth: number
}

/** Implements the drawing operations of a canvas by writing an SVG document. */
export class SvgPen implements Pen {
  font = ''
  textAlign: CanvasTextAlign = 'left'
  textBaseline: CanvasTextBaseline = 'middle'
  lineJoin: CanvasLineJoin = 'miter'
  lineCap: CanvasLineCap = 'butt'
  lineWidth = 1
  globalAlpha = 1
  strokeStyle = '#000'
  fillStyle = '#000'
  #dash = ''
  #path: string[] = []
  #depth = 0
  #clips = 0
  readonly #saved: PenState[] = []
  readonly #out: string[] = []
  readonly #head: string

  constructor(width: number, height: number) {
    this.#head = `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}">`
  }

  toString(): string {
    return `${this.#head}${this.#out.join('')}</svg>\n`
  }

  save(): void {
    this.#saved.push({
      fillStyle: this.fillStyle,
      strokeStyle: this.strokeStyle,
      globalAlpha: this.globalAlpha,
      lineWidth: this.lineWidth,
      lineJoin: this.lineJoin,
      lineCap: this.lineCap,
      dash: this.#dash,
      depth: this.#depth,
    })
  }

  restore(): void {
    const { dash, depth, ...state } = this.#saved.pop()!
    Object.assign(this, state)
    this.#dash = dash
    while (this.#depth > depth) {
      this.#out.push('</g>')
      this.#depth--
    }
  }

  beginPath(): void {
    this.#path = []
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`M${n(x)},${n(y)}`)
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`L${n(x)},${n(y)}`)
  }

  bezierCurveTo(a: number, b: number, c: number, d: number, x: number, y: number): void {
    this.#path.push(`C${n(a)},${n(b)},${n(c)},${n(d)},${n(x)},${n(y)}`)
  }

  closePath(): void {
    this.#path.push('Z')
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(`M${n(x)},${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`)
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const box = `x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"`
    this.#out.push(`<rect ${box} fill="${escaped(this.fillStyle)}"${this.#opacity()}/>`)
  }

  /** Supports full circles only. */
  arc(x: number, y: number, radius: number): void {
    const r = n(radius)
    this.#path.push(
      `M${n(x + radius)},${n(y)}a${r},${r},0,1,1,${n(-2 * radius)},0a${r},${r},0,1,1,${n(2 * radius)},0Z`,
    )
  }

  clip(): void {
    const id = `clip${++this.#clips}`
    this.#open(
      `<clipPath id="${id}"><path d="${this.#path.join('')}"/></clipPath><g clip-path="url(#${id})">`,
    )
  }

  transform(a: number, b: number, c: number, d: number, e: number, f: number): void {
    this.#open(`<g transform="matrix(${[a, b, c, d, e, f].map(n).join(' ')})">`)
  }

  setLineDash(dash: readonly number[]): void {
    this.#dash = dash.map(n).join(' ')
  }

  fill(): void {
    if (!this.#path.length) return
    this.#out.push(`<path d="${this.#path.join('')}" fill="${escaped(this.fillStyle)}"${this.#opacity()}/>`)
  }

  stroke(): void {
    if (!this.#path.length) return
    const dash = this.#dash && ` stroke-dasharray="${this.#dash}"`
    const line = `stroke-width="${n(this.lineWidth)}" stroke-linejoin="${this.lineJoin}"`
    this.#out.push(
      `<path d="${this.#path.join('')}" fill="none" stroke="${escaped(this.strokeStyle)}" ${line}${dash}${this.#opacity()}/>`,
    )
  }

  fillText(text: string, left: number, top: number): void {
    const anchor = { left: 'start', right: 'end', center: 'middle' }[String(this.textAlign)] ?? 'start'
    const [, weight = '', size, family] = /^(\d+ )?([\d.]+)px (.*)$/.exec(this.font) ?? [
      '',
      '',
      '12',
      'sans-serif',
    ]
    const font = `font-size="${size}" font-family="${escaped(family!)}"${weight && ` font-weight="${weight.trim()}"`}`
    this.#out.push(
      `<text x="${n(left)}" y="${n(top)}" dy="0.35em" text-anchor="${anchor}" ${font} fill="${escaped(this.fillStyle)}">${escaped(text)}</text>`,
    )
  }

  #open(tag: string): void {
    this.#out.push(tag)
    this.#depth++
  }

  #opacity(): string {
    return this.globalAlpha < 1 ? ` opacity="${n(this.globalAlpha)}"` : ''
  }
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function escaped(text: unknown): string {
  // Omits characters that XML forbids, because the document could not be opened with them.
  // oxlint-disable-next-line no-control-regex
  const legal = String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return legal.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
