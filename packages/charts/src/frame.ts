import uPlot from 'uplot'
import type { ValueScale } from './domains.ts'
import type { Theme } from './theme.ts'

/** Ticks of one axis: places from 0 to 1 along it, and their labels. */
export interface AxisTicks {
  at: number[]
  labels: string[]
}

/** What the frame (axes, grid, canvas, crosshair) is built from. */
export interface FrameInput {
  theme: () => Theme
  vertical: boolean
  left: boolean
  right: boolean
  /** Ticks of x for a length in CSS pixels, of the value axes, and what to draw between the axes. */
  xTicks: (pixels: number) => AxisTicks
  valueTicks: (side: 'left' | 'right') => AxisTicks
  draw: (frame: uPlot) => void
}

const FONT_SIZE = 11
/** Space above the plot for half a label, and beside it for half a label of x. */
const PAD = 8
export const X_AXIS_HEIGHT = 24

/**
 * A uPlot with axes and cursor but without series of its own. All its scales run from 0 to 1: what they mean is ours,
 * so that neither huge values nor long series ever pass through it.
 */
export function createFrame(host: HTMLElement, input: FrameInput, width: number, height: number): uPlot {
  const { vertical, left, right } = input
  const unit = (): [number, number] => [0, 1]
  const font = `${FONT_SIZE}px ${input.theme().family}`
  const base: uPlot.Axis = {
    font,
    stroke: () => input.theme().label,
    ticks: { show: false },
    space: () => 1,
    // One step so wide that it always fits: the ticks are chosen by us.
    incrs: () => [5],
  }
  const grid = { stroke: () => input.theme().grid, width: 1 }
  const valueAxis = (side: 'left' | 'right', show: boolean, hasGrid: boolean): uPlot.Axis => ({
    ...base,
    show,
    scale: side,
    side: vertical ? (side === 'left' ? 2 : 0) : side === 'left' ? 3 : 1,
    gap: vertical ? 8 : 6,
    size: vertical ? X_AXIS_HEIGHT : widestLabel,
    splits: () => input.valueTicks(side).at,
    values: () => input.valueTicks(side).labels,
    grid: { ...grid, show: hasGrid },
  })
  const options: uPlot.Options = {
    width,
    height,
    padding: [
      PAD,
      right && !vertical ? 0 : 2 * PAD,
      vertical && !left ? PAD : 0,
      left || vertical ? 0 : 2 * PAD,
    ],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false }, bind: DEAF },
    scales: {
      x: { time: false, range: unit, ori: vertical ? 1 : 0, dir: vertical ? -1 : 1 },
      left: { range: unit, ori: vertical ? 0 : 1 },
      right: { range: unit, ori: vertical ? 0 : 1 },
    },
    axes: [
      {
        ...base,
        side: vertical ? 3 : 2,
        gap: vertical ? 6 : 8,
        size: vertical ? widestLabel : X_AXIS_HEIGHT,
        splits: (u) => input.xTicks(plotLength(u, vertical)).at,
        values: (u) => withinCanvas(u, vertical, input.xTicks(plotLength(u, vertical))),
        grid: { show: false },
      },
      valueAxis('left', left, true),
      valueAxis('right', right, !left),
    ],
    series: [{}, { scale: 'left', paths: () => null }, { scale: 'right', paths: () => null }],
    hooks: { draw: [input.draw] },
  }
  return new uPlot(
    options,
    [
      [0, 1],
      [0, 1],
      [0, 1],
    ],
    (u, init) => {
      host.append(u.root)
      u.batch(init)
    },
  )
}

/** Lays the axes out again and draws. */
export function redraw(frame: uPlot): void {
  frame.batch(() => frame.redraw(false, true))
}

/** Ticks of a value axis in parts of its range. */
export function toParts({ min, max, ticks }: ValueScale): number[] {
  return ticks.map((tick) => (tick - min) / (max - min))
}

/** Length of the plot along x in CSS pixels. */
export function plotLength(frame: uPlot, vertical: boolean): number {
  return Math.max(1, (vertical ? frame.bbox.height : frame.bbox.width) / uPlot.pxRatio)
}

const nothing = () => null
/** Pointers are listened to by our own gestures. */
const DEAF: uPlot.Cursor.Bind = {
  mousedown: nothing,
  mouseup: nothing,
  click: nothing,
  dblclick: nothing,
  mousemove: nothing,
  mouseleave: nothing,
  mouseenter: nothing,
}

function widestLabel(u: uPlot, labels: string[] | null, axis: number): number {
  if (!labels?.length) return 10
  // `font` is a triple once the axis is set up.
  u.ctx.font = (u.axes[axis]!.font as unknown as [string])[0]
  return (
    Math.ceil(Math.max(...labels.map((label) => u.ctx.measureText(label ?? '').width)) / uPlot.pxRatio) + 8
  )
}

/** Leaves out a label that would reach over the edge of the canvas. */
function withinCanvas(u: uPlot, vertical: boolean, { at, labels }: AxisTicks): (string | null)[] {
  if (vertical) return labels
  u.ctx.font = (u.axes[0]!.font as unknown as [string])[0]
  const { left, width } = u.bbox
  return labels.map((label, i) => {
    const half = u.ctx.measureText(label).width / 2
    const place = left + width * at[i]!
    return place - half < 0 || place + half > u.width * uPlot.pxRatio ? null : label
  })
}
