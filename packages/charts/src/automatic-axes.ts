import type { AxisSide } from './chart-spec.ts'

/** Factor between the sizes of two series from which they do not share an axis. */
export const axisFactor = 100
/** Maximum number of values from which the size of a series is computed. */
const maxSamples = 1000

/**
 * Returns the axis of each series. An automatic series gets the left axis, unless its size differs from that of the first left series by
 * `axisFactor` or more. Then it gets the right axis, or the axis whose first series is closer in size. The size of a series is the
 * median of its absolute values other than zero.
 */
export function automaticAxes(
  series: readonly { axis: AxisSide | 'automatic'; y: ArrayLike<number | null | undefined> }[],
): AxisSide[] {
  if (series.every(({ axis }) => axis !== 'automatic')) return series.map(({ axis }) => axis as AxisSide)
  const sizes = series.map(({ y }) => sizeOf(y))
  const firstOf = (side: AxisSide) =>
    sizes.find((size, index) => size !== undefined && series[index]!.axis === side)
  let left = firstOf('left')
  let right = firstOf('right')
  return series.map(({ axis }, index) => {
    const size = sizes[index]
    if (axis !== 'automatic') return axis
    if (size === undefined) return 'left'
    left ??= size
    if (distance(size, left) < Math.log(axisFactor)) return 'left'
    right ??= size
    return distance(size, right) < distance(size, left) ? 'right' : 'left'
  })
}

function distance(one: number, other: number): number {
  return Math.abs(Math.log(one / other))
}

/** Returns the median of the absolute values other than zero; undefined if there are none. */
function sizeOf(values: ArrayLike<number | null | undefined>): number | undefined {
  const step = Math.max(1, Math.ceil(values.length / maxSamples))
  const sizes: number[] = []
  for (let index = 0; index < values.length; index += step) {
    const size = Math.abs(values[index] ?? 0)
    if (size > 0 && Number.isFinite(size)) sizes.push(size)
  }
  sizes.sort((a, b) => a - b)
  return sizes[sizes.length >> 1]
}
