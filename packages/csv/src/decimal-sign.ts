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
 * Returns whether the numbers of a file can be read in two ways: those with a sign all look like `1,234`, which is 1234 or
 * 1.234. In a file that is separated by commas, a comma in a number is between thousands and a point is a decimal point.
 * @param texts cells of a file; cells that are not numbers are ignored
 */
export function isDecimalSignAmbiguous(texts: readonly string[], separator = ','): boolean {
  if (separator === ',') return false
  const signed = texts.map((text) => text.trim()).filter((text) => /^[+-]?[\d.,]*\d[.,]\d[\d.,]*$/.test(text))
  const signs = new Set(signed.map((text) => /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/.exec(text)?.[1]))
  return signs.size === 1 && !signs.has(undefined)
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
