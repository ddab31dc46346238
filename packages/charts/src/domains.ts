import type { AxisDomain } from './chart-spec.ts'

/** Range and tick values of one value axis. */
export interface ValueScale {
  /** Lower end. */
  min: number
  /** Upper end. */
  max: number
  /** Tick values, ascending. */
  ticks: number[]
  /** Whether the axis is logarithmic; then both ends are above 0. Default false. */
  log?: boolean
}

/**
 * Returns the range and ticks of an axis, see `AxisDomain`. `dataMin` and `dataMax` are the extremes of the data, NaN if
 * there are none.
 *
 * @param maxIntervals maximum number of intervals between ticks, at least 1
 * @param like another axis that starts at zero: if possible, the ticks are at the same heights
 */
export function valueScale(
  domain: AxisDomain,
  dataMin: number,
  dataMax: number,
  maxIntervals: number,
  like?: ValueScale,
): ValueScale {
  if (domain === 'Zero to 100') return { min: 0, max: 100, ticks: ticksWithin(0, 100, maxIntervals) }
  if (!(dataMin <= dataMax)) return { min: 0, max: 1, ticks: ticksWithin(0, 1, maxIntervals) }
  if (domain === 'Zero to data max') {
    const [min, max] = dataMax > 0 ? [0, dataMax] : widened(dataMin, 0)
    return { min, max, ticks: ticksWithin(min, max, maxIntervals) }
  }
  if (domain === 'Fit to data') {
    const [min, max] = widened(dataMin, dataMax)
    return { min, max, ticks: ticksWithin(min, max, maxIntervals) }
  }
  if (domain === 'Auto scale') {
    const near =
      dataMin >= 0 ? dataMin < (dataMax - dataMin) / 3 : dataMax <= 0 && -dataMax < (dataMax - dataMin) / 3
    const [min, max] = widened(near && dataMin >= 0 ? 0 : dataMin, near && dataMax <= 0 ? 0 : dataMax)
    return rounded(min, max, maxIntervals)
  }
  const [min, max] = widened(Math.min(0, dataMin), Math.max(0, dataMax))
  const intervals = like && like.min === 0 && min === 0 ? like.ticks.length - 1 : 0
  if (intervals > 0) {
    const step = niceStep(max / intervals, [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8])
    return { min: 0, max: step * intervals, ticks: steps(0, intervals, step) }
  }
  return rounded(min, max, maxIntervals)
}

/**
 * Returns range and ticks of a logarithmic axis for the extremes of the values above 0 (NaN if there are none). The
 * ends are 1, 2 or 5 times a power of ten; with the domain `Fit to data` they are exactly the extremes.
 */
export function logScale(
  domain: AxisDomain,
  dataMin: number,
  dataMax: number,
  maxIntervals: number,
): ValueScale {
  const [low, high] = dataMin <= dataMax ? [dataMin, dataMax] : [1, 10]
  const isFit = domain === 'Fit to data' && high > low
  const min = isFit ? low : logStep(low, -1)
  const max = isFit ? high : logStep(high, 1)
  const end = max > min ? max : min * 10
  return { min, max: end, ticks: logTicks(min, end, maxIntervals), log: true }
}

/** Applies fixed ends to a scale; ignores ends that span no range. */
export function bounded(
  scale: ValueScale,
  { min = scale.min, max = scale.max }: { min?: number | undefined; max?: number | undefined },
  maxIntervals: number,
): ValueScale {
  const isRange = min < max && Number.isFinite(max - min) && !(scale.log && min <= 0)
  if (!isRange || (min === scale.min && max === scale.max)) return scale
  const ticks = scale.log ? logTicks(min, max, maxIntervals) : ticksWithin(min, max, maxIntervals)
  return { ...scale, min, max, ticks }
}

/** Returns the position of a value on an axis: 0 at its lower end, 1 at its upper one. */
export function partOf({ min, max, log }: Pick<ValueScale, 'min' | 'max' | 'log'>, value: number): number {
  if (!log) return (value - min) / (max - min)
  return value > 0 ? Math.log(value / min) / Math.log(max / min) : -Infinity
}

/** Returns the nearest 1, 2 or 5 times a power of ten below (or above) a number, or the number itself. */
function logStep(value: number, direction: -1 | 1): number {
  const power = Math.floor(Math.log10(value))
  const steps = [1, 2, 5, 10].map((factor) => tidy(factor * 10 ** power))
  const step =
    direction > 0
      ? steps.find((step) => step >= value * 0.999999)
      : steps.findLast((step) => step <= value * 1.000001)
  return step ?? value
}

/**
 * Returns as many powers of ten as fit, plus 2 and 5 times them if those fit. Within less than a decade, returns round
 * numbers.
 */
function logTicks(min: number, max: number, maxIntervals: number): number[] {
  const decades = Math.log10(max / min)
  if (decades < 1) {
    const linear = ticksWithin(min, max, maxIntervals)
    if (linear.length > 1) return linear
  }
  const every = Math.max(1, Math.ceil(decades / Math.max(1, maxIntervals)))
  const factors = decades * 3 <= maxIntervals ? [1, 2, 5] : [1]
  const first = Math.floor(Math.log10(min))
  const powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, at) => first + at)
  return powers
    .filter((power) => power % every === 0)
    .flatMap((power) => factors.map((factor) => tidy(factor * 10 ** power)))
    .filter((tick) => tick >= min * 0.999999 && tick <= max * 1.000001)
}

/** Returns the smallest "round" step (1, 2, 2.5 or 5 times a power of ten) that is not smaller than the given one. */
export function niceStep(atLeast: number, factors: readonly number[] = [1, 2, 2.5, 5]): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const fraction = atLeast / power
  return tidy((factors.find((factor) => factor >= fraction * 0.999999) ?? 10) * power)
}

/** Returns round tick values inside a range, at most `maxIntervals` + 1 of them. */
export function ticksWithin(min: number, max: number, maxIntervals: number): number[] {
  const step = niceStep((max - min) / Math.max(1, maxIntervals))
  if (!(step > 0) || !Number.isFinite(step)) return []
  const from = Math.ceil(min / step - 1e-9)
  const to = Math.floor(max / step + 1e-9)
  return steps(from, Math.max(0, to - from), step)
}

function rounded(min: number, max: number, maxIntervals: number): ValueScale {
  const step = niceStep((max - min) / Math.max(1, maxIntervals))
  if (!Number.isFinite(step)) return { min, max, ticks: [] }
  const from = Math.floor(min / step + 1e-9)
  const ticks = steps(from, Math.ceil(max / step - 1e-9) - from, step)
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks }
}

function steps(from: number, count: number, step: number): number[] {
  return Array.from({ length: Math.min(count, 1000) + 1 }, (_, i) => tidy((from + i) * step))
}

function tidy(value: number): number {
  return +value.toPrecision(12)
}

function widened(min: number, max: number): [number, number] {
  if (max - min > Math.abs(max) * 1e-12) return [min, max]
  const half = Math.abs(max) * 0.1 || 1
  return [min - half, max + half]
}
