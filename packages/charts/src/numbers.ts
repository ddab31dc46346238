import type { Unit } from './chart-spec.ts'

const SUFFIXES = ['', 'k', 'M', 'B', 'T']

/**
 * Decimals (0 to 6) with which every given value is written exactly. Where six do not suffice (computed values), as
 * many as make six significant digits. Looks at up to 200 values spread over the list.
 */
export function decimalsOf(values: ArrayLike<number>): number {
  const step = Math.max(1, Math.floor(values.length / 200))
  let decimals = 0
  let largest = 0
  for (let i = 0; i < values.length; i += step) {
    const value = values[i]!
    while (decimals < 7 && Math.abs(+value.toFixed(decimals) - value) > Math.abs(value) * 1e-12) decimals++
    if (Math.abs(value) > largest) largest = Math.abs(value)
  }
  if (decimals < 7) return decimals
  return Math.max(0, Math.min(6, 5 - Math.floor(Math.log10(largest))))
}

/** A value for people: grouped thousands, a real minus, `$` in front or ` %` behind. */
export function formatValue(value: number, decimals: number, unit?: Unit, locale = 'en-GB'): string {
  const size = Math.abs(value)
  const text =
    size >= 1e15 || (size > 0 && size < 1e-6) ? size.toExponential(3) : digits(locale, decimals).format(size)
  return withUnit(value < 0, text, unit)
}

/** A short label for each tick of an axis: as many decimals as the step needs, thousands as k, M, B or T. */
export function formatTicks(values: readonly number[], unit?: Unit, locale = 'en-GB'): string[] {
  const largest = Math.max(0, ...values.map(Math.abs))
  const power = largest < 1e5 ? 0 : Math.min(5, Math.floor(Math.log10(largest * 1.000001) / 3))
  const suffix = SUFFIXES[power]
  if (suffix == null || (largest > 0 && largest < 1e-6)) {
    return values.map((value) => withUnit(value < 0, Math.abs(value).toExponential(1), unit))
  }
  const scaled = values.map((value) => value / 1000 ** power)
  const decimals = decimalsOf(scaled.map((value) => +value.toPrecision(10)))
  return scaled.map((value) => {
    const text = digits(locale, decimals).format(Math.abs(value))
    return withUnit(value < 0, value === 0 ? '0' : text + suffix, unit)
  })
}

const formats = new Map<string, Intl.NumberFormat>()

/** Making a format takes longer than all labels of a chart together: each is made once. */
function digits(locale: string, decimals: number): Intl.NumberFormat {
  const key = `${locale} ${decimals}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
    formats.set(key, format)
  }
  return format
}

function withUnit(negative: boolean, text: string, unit: Unit | undefined): string {
  return (negative ? '−' : '') + (unit === '$' ? '$' : '') + text + (unit === '%' ? ' %' : '')
}
