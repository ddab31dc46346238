/** Character before the fraction of a number. */
export type DecimalSign = '.' | ','

const groupSigns: Record<DecimalSign, string> = { '.': ',', ',': '.' }

/**
 * Detects the decimal sign of numbers. `1,234` alone is a number of thousands in a file that is separated by commas, and
 * a fraction in other files.
 * @param texts cells of a file; cells that are not numbers are ignored
 */
export function detectDecimalSign(texts: readonly string[], separator = ','): DecimalSign {
  let points = 0
  let commas = 0
  for (const text of texts) {
    const isPoint = toNumberText(text, '.') !== undefined
    const isComma = toNumberText(text, ',') !== undefined
    if (isPoint && !isComma) points++
    if (isComma && !isPoint) commas++
    if (isPoint && isComma && separator !== ',' && text.includes(',')) commas++
  }
  return commas > points ? ',' : '.'
}

/**
 * Converts a number to the form of NCSV: a decimal point and no signs between thousands (`1.234,5` or `1 234,5` becomes
 * `1234.5`).
 * @returns an empty text for an empty cell; undefined if the text is not a number
 */
export function toNumberText(text: string, decimalSign: DecimalSign): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || /^[+-]?\d{1,15}$/.test(trimmed)) return trimmed
  if (trimmed.length > 400) return undefined
  const group = groupSigns[decimalSign]
  const [whole = '', ...fractions] = trimmed.split(decimalSign)
  if (fractions.length > 1) return undefined
  const sign = /^[+-]?/.exec(whole)![0]
  const digits = whole.slice(sign.length)
  const groups = digits.split(new RegExp(`[${group}\\u0020\\u00a0\\u202f'’]`))
  const isGrouped = groups.length > 1
  if (isGrouped && !(/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((part) => /^\d{3}$/.test(part))))
    return undefined
  const joined = sign + groups.join('') + (fractions.length === 1 ? `.${fractions[0]}` : '')
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(joined) ? joined : undefined
}
