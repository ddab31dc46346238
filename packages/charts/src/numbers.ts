import type { NumberFormat } from './chart-spec.ts'

const SUFFIXES = ['', 'k', 'M', 'B', 'T']

/** Maximum decimals of values that are written exactly, however large they are. */
const EXACT_DECIMALS = 4
const MOST_DECIMALS = 6

/**
 * Returns the number of decimals (0 to 6) for a list of values: as many as are needed to represent every value exactly, up
 * to four. If four are not enough, it returns the decimals that six significant digits of the largest value need. It ignores
 * rounding noise relative to the largest value, and samples at most 200 values.
 */
export function decimalsOf(values: ArrayLike<number>): number {
  const step = Math.max(1, Math.floor(values.length / 200))
  let largest = 0
  for (let i = 0; i < values.length; i += step) {
    const size = Math.abs(values[i]!)
    if (size > largest && size < Infinity) largest = size
  }
  let decimals = 0
  for (let i = 0; i < values.length; i += step) {
    const value = values[i]!
    while (decimals <= MOST_DECIMALS && Math.abs(+value.toFixed(decimals) - value) > largest * 1e-12)
      decimals++
  }
  if (decimals <= EXACT_DECIMALS) return decimals
  return Math.max(0, Math.min(decimals, MOST_DECIMALS, 5 - Math.floor(Math.log10(largest))))
}

/** Number format of an axis, see `AxisSpec`. */
export interface NumberFormatOptions {
  /** Unit of the number. Default: none. */
  unit?: string | undefined
  /** Format of the number. Default `Automatic`. */
  numberFormat?: NumberFormat | undefined
  /** Default: as many as needed. */
  decimals?: number | undefined
}

/** Default decimals of short and scientific numbers. */
const SHORT_DECIMALS = 2

/** Formats a value for display: grouped thousands, a real minus sign, `$` before, `%` or ` €/MWh` after. */
export function formatValue(
  value: number,
  decimals: number,
  look: NumberFormatOptions = {},
  locale = 'en-GB',
): string {
  const size = Math.abs(value)
  const { numberFormat = 'Automatic', unit } = look
  const requested = requestedDecimals(look)
  if (numberFormat === 'Scientific')
    return withUnit(value < 0, size.toExponential(requested ?? SHORT_DECIMALS), unit)
  // If the other values need fewer decimals, a tiny value is rounding noise.
  const isTiny = size > 0 && size < 10 ** -MOST_DECIMALS && decimals >= MOST_DECIMALS
  if (size >= 1e15 || isTiny) return withUnit(value < 0, size.toExponential(3), unit)
  if (numberFormat !== 'Short') {
    const text = digits(locale, requested ?? decimals).format(size)
    return withUnit(value < 0 && /[1-9]/.test(text), text, unit)
  }
  const power = size < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(size * 1.000001) / 3))
  const scaled = size / 1000 ** power
  const text = digits(locale, requested ?? Math.min(SHORT_DECIMALS, decimalsOf([scaled]))).format(scaled)
  return withUnit(value < 0, text + SUFFIXES[power]!, unit)
}

/** Formats the ticks of an axis: with as many decimals as the step needs, and thousands as k, M, B or T. */
export function formatTicks(
  values: readonly number[],
  look: NumberFormatOptions & { log?: boolean | undefined } = {},
  locale = 'en-GB',
): string[] {
  const { numberFormat = 'Automatic', unit } = look
  const requested = requestedDecimals(look)
  // Numbers on a logarithmic axis differ in magnitude, so each is formatted separately.
  if (look.log) {
    const isShort = numberFormat === 'Automatic' || numberFormat === 'Short'
    const each = { ...look, numberFormat: isShort ? ('Short' as const) : numberFormat }
    return values.map((value) => formatValue(value, decimalsOf([value]), each, locale))
  }
  if (numberFormat === 'Scientific')
    return values.map((value) => withUnit(value < 0, Math.abs(value).toExponential(requested ?? 1), unit))
  const largest = Math.max(0, ...values.map(Math.abs))
  const isFull = numberFormat === 'In full' && largest < 1e15
  const shortFrom = numberFormat === 'Short' ? 1e3 : 1e5
  const power =
    largest < shortFrom || isFull ? 0 : Math.min(5, Math.floor(Math.log10(largest * 1.000001) / 3))
  const suffix = SUFFIXES[power]
  if (suffix == null || (largest > 0 && largest < 1e-6)) {
    return values.map((value) => withUnit(value < 0, Math.abs(value).toExponential(1), unit))
  }
  const scaled = values.map((value) => value / 1000 ** power)
  const decimals = requested ?? decimalsOf(scaled.map((value) => +value.toPrecision(10)))
  return scaled.map((value) => {
    const text = digits(locale, decimals).format(Math.abs(value))
    return withUnit(value < 0, value === 0 ? '0' : text + suffix, unit)
  })
}

const formats = new Map<string, Intl.NumberFormat>()

/** Caches formats, because creating one takes longer than formatting all labels of a chart. */
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

/** Clamps a number of a spec to its limits. */
export function within(value: number | undefined, min: number, max: number, otherwise: number): number {
  return value === undefined || Number.isNaN(value) ? otherwise : Math.min(max, Math.max(min, value))
}

function requestedDecimals({ decimals }: NumberFormatOptions): number | undefined {
  return decimals === undefined ? undefined : Math.min(10, Math.max(0, Math.round(decimals)))
}

function withUnit(negative: boolean, text: string, unit = ''): string {
  const trimmed = unit.trim()
  const isFront = /^\p{Sc}$/u.test(trimmed)
  return (
    (negative ? '−' : '') +
    (isFront ? trimmed : '') +
    text +
    (isFront || trimmed === '' ? '' : trimmed === '%' ? trimmed : ` ${trimmed}`)
  )
}
