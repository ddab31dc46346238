import type { ChartWindow } from './chart-handle.ts'
import type { AxisSide } from './chart-spec.ts'
import { partOf } from './domains.ts'
import type { ValueScale } from './domains.ts'
import { element } from './style-sheet.ts'

/** Ticks of one axis: places from 0 to 1 along it, and their labels. */
export interface AxisTicks {
  at: number[]
  labels: string[]
}

/** The plot on a surface: where it lies, in device pixels, and what it shows. */
export interface Plot {
  left: number
  top: number
  width: number
  height: number
  /** Device pixels per CSS pixel. */
  ratio: number
  vertical: boolean
  view: ChartWindow
  scales: Record<AxisSide, ValueScale | undefined>
}

/** What is laid out: sizes in CSS pixels; ticks of x are asked for once the plot's length is known. */
export interface LayoutInput {
  width: number
  height: number
  ratio: number
  family: string
  vertical: boolean
  view: ChartWindow
  scales: Record<AxisSide, ValueScale | undefined>
  ticks: Record<AxisSide, AxisTicks | undefined>
  /** Ticks of x for the length of the plot and the room before it, in CSS pixels. */
  xTicks: (pixels: number, before: number) => AxisTicks
}

export interface Layout {
  plot: Plot
  xTicks: AxisTicks
  ticks: Record<AxisSide, AxisTicks | undefined>
}

export const LABEL_PIXELS = 11
/** Room around a chart in a picture, in CSS pixels. */
export const PICTURE_PAD = 12
/** Height of an axis whose labels stand in a row, and what is left free where no axis is. */
const ROW = 24
const TOP = 8
const SIDE = 16
const LABEL_GAP = 8

/** Places the plot so that all labels beside it fit. */
export function layOut(pen: CanvasRenderingContext2D, input: LayoutInput): Layout {
  const { width, height, ratio, vertical, ticks } = input
  pen.font = `${LABEL_PIXELS}px ${input.family}`
  const wide = (axis: AxisTicks) =>
    Math.ceil(Math.max(0, ...axis.labels.map((label) => pen.measureText(label).width)))
  let left = ticks.left && !vertical ? wide(ticks.left) + LABEL_GAP : SIDE
  const right = ticks.right && !vertical ? wide(ticks.right) + LABEL_GAP : SIDE
  const top = vertical && ticks.right ? ROW : TOP
  const bottom = vertical && !ticks.left ? TOP : ROW
  const plotHeight = Math.max(1, height - top - bottom)
  let xTicks: AxisTicks
  if (vertical) {
    xTicks = input.xTicks(plotHeight, 0)
    left = wide(xTicks) + LABEL_GAP
  } else {
    const length = Math.max(1, width - left - right)
    xTicks = input.xTicks(length, left)
    // A label that would reach over the edge is left out.
    xTicks.labels = xTicks.labels.map((label, i) => {
      const middle = left + length * xTicks.at[i]!
      const half = pen.measureText(label).width / 2
      return middle - half < 0 || middle + half > width ? '' : label
    })
  }
  const plot = {
    left: Math.round(left * ratio),
    top: Math.round(top * ratio),
    width: Math.max(1, Math.round((width - left - right) * ratio)),
    height: Math.max(1, Math.round(plotHeight * ratio)),
    ratio,
    vertical,
    view: input.view,
    scales: input.scales,
  }
  return { plot, xTicks, ticks }
}

/** Ticks of a value axis in parts of its range. */
export function toParts(scale: ValueScale): number[] {
  return scale.ticks.map((tick) => partOf(scale, tick))
}

/** Canvas, and over its plot the crosshair and the mark of a stretch to be zoomed to. */
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

  /** Brings the canvas to a size, which also clears it. */
  clear(width: number, height: number): void {
    if (this.canvas.width === width && this.canvas.height === height) this.pen.clearRect(0, 0, width, height)
    else Object.assign(this.canvas, { width, height })
  }

  /** Moves everything that lies over the plot to where the plot is. */
  follow({ left, top, width, height, ratio, vertical }: Plot): void {
    this.#vertical = vertical
    this.over.classList.toggle('hw-chart-down', vertical)
    place(this.over, left / ratio, top / ratio, width / ratio, height / ratio)
  }

  /** Shows the crosshair at a place from 0 to 1 along x; null hides it. */
  showLine(at: number | null): void {
    this.#line.hidden = at === null
    this.#line.style.inset = this.#vertical ? `${(at ?? 0) * 100}% 0 auto` : `0 auto 0 ${(at ?? 0) * 100}%`
  }

  /** Marks a stretch of x; null takes the mark away. */
  showMark(stretch: [number, number] | null): void {
    const [a, b] = (stretch ?? [0, 0]).map((part) => part * 100) as [number, number]
    this.#mark.hidden = stretch === null
    this.#mark.style.inset = this.#vertical ? `${a}% 0 ${100 - b}%` : `0 ${100 - b}% 0 ${a}%`
  }
}

function place({ style }: HTMLElement, left: number, top: number, width: number, height: number): void {
  style.left = `${left}px`
  style.top = `${top}px`
  style.width = `${width}px`
  style.height = `${height}px`
}
