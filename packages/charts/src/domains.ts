import type { AxisDomain } from './chart-spec.ts'

/** Range and tick values of one value axis. */
export interface ValueScale {
  min: number
  max: number
  ticks: number[]
}

/**
 * Range and ticks for the extremes of the data (NaN if there are none), see `AxisDomain` for the meanings.
 *
 * @param room how many intervals between ticks fit at most, at least 1
 * @param like another axis that starts at zero: if possible, the ticks stand at the same heights as there
 */
export function valueScale(
  domain: AxisDomain,
  dataMin: number,
  dataMax: number,
  room: number,
  like?: ValueScale,
): ValueScale {
  if (domain === 'Zero to 100') return { min: 0, max: 100, ticks: ticksWithin(0, 100, room) }
  if (!(dataMin <= dataMax)) return { min: 0, max: 1, ticks: ticksWithin(0, 1, room) }
  if (domain === 'Zero to data max') {
    const [min, max] = dataMax > 0 ? [0, dataMax] : widened(dataMin, 0)
    return { min, max, ticks: ticksWithin(min, max, room) }
  }
  if (domain === 'Fit to data') {
    const [min, max] = widened(dataMin, dataMax)
    return { min, max, ticks: ticksWithin(min, max, room) }
  }
  if (domain === 'Auto scale') {
    const near =
      dataMin >= 0 ? dataMin < (dataMax - dataMin) / 3 : dataMax <= 0 && -dataMax < (dataMax - dataMin) / 3
    const [min, max] = widened(near && dataMin >= 0 ? 0 : dataMin, near && dataMax <= 0 ? 0 : dataMax)
    return rounded(min, max, room)
  }
  const [min, max] = widened(Math.min(0, dataMin), Math.max(0, dataMax))
  const intervals = like && like.min === 0 && min === 0 ? like.ticks.length - 1 : 0
  if (intervals > 0) {
    const step = niceStep(max / intervals, [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8])
    return { min: 0, max: step * intervals, ticks: steps(0, intervals, step) }
  }
  return rounded(min, max, room)
}

/** The smallest "round" step (1, 2, 2.5 or 5 times a power of ten) that is not smaller than the given one. */
export function niceStep(atLeast: number, factors: readonly number[] = [1, 2, 2.5, 5]): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const fraction = atLeast / power
  return tidy((factors.find((factor) => factor >= fraction * 0.999999) ?? 10) * power)
}

/** Round tick values inside a range, at most `room` + 1 of them. */
export function ticksWithin(min: number, max: number, room: number): number[] {
  const step = niceStep((max - min) / Math.max(1, room))
  if (!(step > 0) || !Number.isFinite(step)) return []
  const from = Math.ceil(min / step - 1e-9)
  const to = Math.floor(max / step + 1e-9)
  return steps(from, Math.max(0, to - from), step)
}

function rounded(min: number, max: number, room: number): ValueScale {
  const step = niceStep((max - min) / Math.max(1, room))
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
