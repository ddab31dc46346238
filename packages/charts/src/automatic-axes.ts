import type { AxisSide } from './chart-spec.ts'

/** Two series share an axis only if their sizes differ by less than this factor. */
export const axisFactor = 100
/** Maximum number of values that are sampled to compute the size of a series. */
const maxSamples = 1000

/**
 * Returns the axis of each series. An automatic series gets the right axis if its size differs from that of the first left series by
 * `axisFactor` or more, otherwise the left one. If no left series has values, the first automatic series counts as one. The size of a
 * series is the median of its absolute values other than zero.
 */
export function automaticAxes(
  series: readonly { axis: AxisSide | 'automatic'; y: ArrayLike<number | null | undefined> }[],
): AxisSide[] {
  if (!series.some(({ axis }) => axis === 'automatic')) return series.map(({ axis }) => axis as AxisSide)
  const sizes = series.map(({ y }) => sizeOf(y))
  const isOn = (side: string) => (size: number, index: number) => size > 0 && series[index]!.axis === side
  const first = sizes.find(isOn('left')) ?? sizes.find(isOn('automatic')) ?? 0
  return series.map(({ axis }, index) => {
    if (axis !== 'automatic') return axis
    const factor = sizes[index]! / first
    return factor >= axisFactor || (factor > 0 && factor <= 1 / axisFactor) ? 'right' : 'left'
  })
}

/** Returns the median of the absolute values other than zero; 0 if there are none. */
function sizeOf(values: ArrayLike<number | null | undefined>): number {
  const step = Math.ceil(values.length / maxSamples)
  const sizes = Float64Array.from({ length: Math.ceil(values.length / step) }, (_, index) =>
    Math.abs(values[index * step] ?? 0),
  ).filter((size) => size > 0 && size < Infinity)
  return sizes.sort()[sizes.length >> 1] ?? 0
}
