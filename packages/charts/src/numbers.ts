import type { NumberFormat } from './chart-spec.ts'

const SUFFIXES = ['', 'k', 'M', 'B', 'T']

/** Decimals with which values are written exactly, however large they are. */
const EXACT_DECIMALS = 4
const MOST_DECIMALS = 6

/**
 * Decimals (0 to 6) for a list of values: as many as write every value exactly, up to four. Where four do not suffice
 * (small or computed values), as many as make six significant digits of the largest value. What is lost in the noise
 * of the largest value does not count. Looks at up to 200 values spread over the list.
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

/** How the numbers of an axis are written, see `AxisSpec`. */
export interface NumberLook {
  unit?: string | undefined
  numberFormat?: NumberFormat | undefined
  decimals?: number | undefined
}

/** Decimals of short and scientific numbers that say nothing about them. */
const SHORT_DECIMALS = 2

/** A value for people: grouped thousands, a real minus, `$` in front, `%` or ` €/MWh` behind. */
export function formatValue(
  value: number,
  decimals: number,
  look: NumberLook = {},
  locale = 'en-GB',
): string {
  const size = Math.abs(value)
  const { numberFormat = 'Automatic', unit } = look
  const asked = decimalsAsked(look)
  if (numberFormat === 'Scientific')
    return withUnit(value < 0, size.toExponential(asked ?? SHORT_DECIMALS), unit)
  // Beside values that need fewer decimals a tiny one is the noise of a computation.
  const isTiny = size > 0 && size < 10 ** -MOST_DECIMALS && decimals >= MOST_DECIMALS
  if (size >= 1e15 || isTiny) return withUnit(value < 0, size.toExponential(3), unit)
  if (numberFormat !== 'Short') {
    const text = digits(locale, asked ?? decimals).format(size)
    return withUnit(value < 0 && /[1-9]/.test(text), text, unit)
  }
  const power = size < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(size * 1.000001) / 3))
  const scaled = size / 1000 ** power
  const text = digits(locale, asked ?? Math.min(SHORT_DECIMALS, decimalsOf([scaled]))).format(scaled)
  return withUnit(value < 0, text + SUFFIXES[power]!, unit)
}

/** A label for each tick of an axis: as many decimals as the step needs, thousands as k, M, B or T. */
export function formatTicks(
  values: readonly number[],
  look: NumberLook & { log?: boolean | undefined } = {},
  locale = 'en-GB',
): string[] {
  const { numberFormat = 'Automatic', unit } = look
  const asked = decimalsAsked(look)
  // Numbers of a logarithmic axis are of all sizes, so each is written by itself.
  if (look.log) {
    const isShort = numberFormat === 'Automatic' || numberFormat === 'Short'
    const each = { ...look, numberFormat: isShort ? ('Short' as const) : numberFormat }
    return values.map((value) => formatValue(value, decimalsOf([value]), each, locale))
  }
  if (numberFormat === 'Scientific')
    return values.map((value) => withUnit(value < 0, Math.abs(value).toExponential(asked ?? 1), unit))
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
  const decimals = asked ?? decimalsOf(scaled.map((value) => +value.toPrecision(10)))
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

/** A number of a spec within its limits. */
export function within(value: number | undefined, min: number, max: number, otherwise: number): number {
  return value === undefined || Number.isNaN(value) ? otherwise : Math.min(max, Math.max(min, value))
}

function decimalsAsked({ decimals }: NumberLook): number | undefined {
  return decimals === undefined ? undefined : Math.min(10, Math.max(0, Math.round(decimals)))
}

function withUnit(negative: boolean, text: string, unit = ''): string {
  const word = unit.trim()
  const isFront = /^\p{Sc}$/u.test(word)
  return (
    (negative ? '−' : '') +
    (isFront ? word : '') +
    text +
    (isFront || word === '' ? '' : word === '%' ? word : ` ${word}`)
  )
}
