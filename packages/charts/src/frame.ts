import type { Plot } from './layout.ts'
import { element } from './style-sheet.ts'

/** The canvas, with the crosshair and the zoom selection over its plot. */
export class Frame {
  readonly canvas = element('canvas')
  readonly over = element('div', 'hw-chart-over')
  readonly pen = this.canvas.getContext('2d')!
  readonly #line = element('div', 'hw-chart-line')
  readonly #mark = element('div', 'hw-chart-stretch')
  #vertical = false

  constructor(host: HTMLElement) {
    this.#line.hidden = this.#mark.hidden = true
    this.over.append(this.#mark, this.#line)
    host.append(this.canvas, this.over)
  }

  /** Resizes the canvas, which also clears it. */
  clear(width: number, height: number): void {
    if (this.canvas.width === width && this.canvas.height === height) this.pen.clearRect(0, 0, width, height)
    else Object.assign(this.canvas, { width, height })
  }

  /** Moves the overlay to the position of the plot. */
  follow({ left, top, width, height, ratio, vertical }: Plot): void {
    this.#vertical = vertical
    this.over.classList.toggle('hw-chart-down', vertical)
    setBox(this.over, left / ratio, top / ratio, width / ratio, height / ratio)
  }

  /** Shows the crosshair at a fraction of the x axis, 0 to 1; null hides it. */
  showLine(at: number | null): void {
    this.#line.hidden = at === null
    this.#line.style.inset = this.#vertical ? `${(at ?? 0) * 100}% 0 auto` : `0 auto 0 ${(at ?? 0) * 100}%`
  }

  /** Shows the zoom selection on x; null hides it. */
  showMark(stretch: [number, number] | null): void {
    const [a, b] = (stretch ?? [0, 0]).map((part) => part * 100) as [number, number]
    this.#mark.hidden = stretch === null
    this.#mark.style.inset = this.#vertical ? `${a}% 0 ${100 - b}%` : `0 ${100 - b}% 0 ${a}%`
  }
}

function setBox({ style }: HTMLElement, left: number, top: number, width: number, height: number): void {
  style.left = `${left}px`
  style.top = `${top}px`
  style.width = `${width}px`
  style.height = `${height}px`
}
