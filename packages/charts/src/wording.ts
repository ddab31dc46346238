import type { ChartWindow } from './chart-handle.ts'
import type { AxisSide } from './chart-spec.ts'
import { ticksWithin } from './domains.ts'
import type { ValueScale } from './domains.ts'
import { toParts } from './frame.ts'
import type { AxisTicks } from './frame.ts'
import type { Model, SeriesModel } from './model.ts'
import { decimalsOf, formatTicks, formatValue } from './numbers.ts'
import type { Reading } from './reading.ts'
import { dateNames, formatMoment, precisionOf, timeTicks } from './times.ts'
import type { Precision } from './times.ts'
import { clockOf } from './zones.ts'

/** CSS pixels between labels of a number axis whose labels stand in a row. */
const ROOM = 64

/** How a chart writes places and values: in the language of the reader, the zone and the units of the spec. */
export interface Wording {
  x: (x: number) => string
  /** A value of a series, as the axis of the series says. */
  number: (series: Pick<SeriesModel, 'decimals' | 'side'>, value: number) => string
  value: (reading: Reading) => string
  /** Ticks of x for a length of the plot and the room before it, in CSS pixels. */
  xTicks: (view: ChartWindow, pixels: number, before: number) => AxisTicks
  valueTicks: (side: AxisSide, scale: ValueScale | undefined) => AxisTicks | undefined
}

/** The wording of a model in a language (BCP 47). */
export function wordingOf(model: Model, locale: string): Wording {
  const { spec, filled } = model
  const isNumber = spec.x?.kind === 'number'
  const seasonal = spec.x?.format === 'dayOfYear'
  const clock = clockOf(spec.x?.timeZone)
  const names = dateNames(locale)
  const precision = isNumber ? 'day' : finest(model.series.map(({ points }) => precisionOf(points.x, clock)))
  const xDecimals = isNumber ? Math.max(0, ...model.series.map(({ points }) => decimalsOf(points.x))) : 0
  const look = (side: AxisSide) => (side === 'left' ? spec.leftAxis : spec.rightAxis) ?? {}
  const number: Wording['number'] = ({ decimals, side }, value) =>
    formatValue(value, decimals, look(side), locale)

  function xTicks(view: ChartWindow, pixels: number, before: number): AxisTicks {
    const { from, to } = view
    if (!filled) return { at: [], labels: [] }
    if (isNumber) {
      const ticks = ticksWithin(from, to, Math.max(1, Math.floor(pixels / ROOM)))
      return {
        at: ticks.map((at) => (at - from) / (to - from)),
        labels: formatTicks(ticks, undefined, locale),
      }
    }
    const { at, labels } = timeTicks(from, to, pixels, before, clock, names, seasonal, precision)
    return { at: at.map((tick) => (tick - from) / (to - from)), labels }
  }

  return {
    x: (x) =>
      isNumber
        ? formatValue(x, xDecimals, undefined, locale)
        : formatMoment(x, precision, clock, names, seasonal),
    number,
    value: ({ series, value, low }) => {
      if (value !== value) return '–'
      return low === undefined ? number(series, value) : `${number(series, low)} – ${number(series, value)}`
    },
    xTicks,
    valueTicks: (side, scale) =>
      scale && { at: toParts(scale), labels: formatTicks(scale.ticks, look(side), locale) },
  }
}

function finest(list: readonly Precision[]): Precision {
  const order: Precision[] = ['ms', 'second', 'minute', 'day']
  return order.find((precision) => list.includes(precision)) ?? 'day'
}
