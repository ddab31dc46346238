import type { ChartWindow } from './chart-handle.ts'
import type { AxisSide } from './chart-spec.ts'
import { ticksWithin } from './domains.ts'
import type { ValueScale } from './domains.ts'
import { toParts } from './layout.ts'
import type { AxisTicks } from './layout.ts'
import type { Model, SeriesModel } from './model.ts'
import { decimalsOf, formatTicks, formatValue } from './numbers.ts'
import type { Reading } from './reading.ts'
import { dateNames, formatTimestamp, precisionOf, timeTicks } from './times.ts'
import type { Precision } from './times.ts'
import { clockOf } from './zones.ts'

/** Distance between labels of a number axis with labels in a row, in CSS pixels. */
const MIN_LABEL_DISTANCE = 64

/** Formats positions and values in the language of the user, with the zone and the units of the spec. */
export interface ChartFormatter {
  /** Formats a position. */
  x: (x: number) => string
  /** Formats a value of a series according to the options of its axis. */
  number: (series: Pick<SeriesModel, 'decimals' | 'side'>, value: number) => string
  /** Formats a reading; a band as a range. */
  value: (reading: Reading) => string
  /** Returns ticks of x for a length of the plot and the space before it, in CSS pixels. */
  xTicks: (view: ChartWindow, pixels: number, before: number) => AxisTicks
  /** Returns the ticks of a value axis; undefined if the axis does not exist. */
  valueTicks: (side: AxisSide, scale: ValueScale | undefined) => AxisTicks | undefined
}

/** Creates the formatter of a model in a language (BCP 47). */
export function createFormatter(model: Model, locale: string): ChartFormatter {
  const { spec, filled } = model
  const isNumber = spec.x?.kind === 'number'
  const seasonal = spec.x?.format === 'dayOfYear'
  const clock = clockOf(spec.x?.timeZone)
  const names = dateNames(locale)
  const precision = isNumber ? 'day' : finest(model.series.map(({ points }) => precisionOf(points.x, clock)))
  const xDecimals = isNumber ? Math.max(0, ...model.series.map(({ points }) => decimalsOf(points.x))) : 0
  const look = (side: AxisSide) => (side === 'left' ? spec.leftAxis : spec.rightAxis) ?? {}
  const number: ChartFormatter['number'] = ({ decimals, side }, value) =>
    formatValue(value, decimals, look(side), locale)

  function xTicks(view: ChartWindow, pixels: number, before: number): AxisTicks {
    const { from, to } = view
    if (!filled) return { at: [], labels: [] }
    if (isNumber) {
      const ticks = ticksWithin(from, to, Math.max(1, Math.floor(pixels / MIN_LABEL_DISTANCE)))
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
        : formatTimestamp(x, precision, clock, names, seasonal),
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
