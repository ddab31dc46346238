/** Character before the fraction of a number. */
export type DecimalSign = '.' | ','

const groupSigns: Record<DecimalSign, string> = { '.': ',', ',': '.' }

/**
 * Detects the decimal sign of numbers. If there are only numbers such as `1,234`, the comma separates thousands in
 * comma-separated files and is the decimal sign in other files.
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
 * Returns whether the numbers of a file are ambiguous: all numbers with a sign look like `1,234`, which can mean 1234
 * or 1.234. In a comma-separated file they are not: a comma separates thousands and a point is the decimal sign.
 * @param texts cells of a file; cells that are not numbers are ignored
 */
export function isDecimalSignAmbiguous(texts: readonly string[], separator = ','): boolean {
  if (separator === ',') return false
  const signed = texts.map((text) => text.trim()).filter((text) => /^[+-]?[\d.,]*\d[.,]\d[\d.,]*$/.test(text))
  const signs = new Set(signed.map((text) => /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/.exec(text)?.[1]))
  return signs.size === 1 && !signs.has(undefined)
}

/**
 * Converts a number to the NCSV format: a decimal point and no thousands separators (`1.234,5` or `1 234,5` becomes
 * `1234.5`).
 * @returns an empty string for an empty cell; undefined if the text is not a number
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
