/** How a number of a column is written. */
export interface NumberStyle {
  unit: string
  unitOnFront: boolean
  /** Decimals that every number of the column shows; absent = as many as it has. */
  decimals?: number
}

/** Longer number texts get a line break. */
const longestOnOneLine = 9

/**
 * A number with thousands separators and its unit; a text that is no number stays as it is. A number of more than nine
 * characters is broken behind its first comma.
 */
export function formatCellNumber(text: string, { unit, unitOnFront, decimals }: NumberStyle): string {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) return text
  const digits = decimals ?? decimalsIn(text)
  const number = value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const broken = number.length > longestOnOneLine ? number.replace(',', ',\n') : number
  if (unit === '') return broken
  if (unitOnFront) return `${unit}${broken}`
  return unit === '%' || /^\p{L}/u.test(unit) ? `${broken}\u00a0${unit}` : `${broken}${unit}`
}

/** How many decimals a number is written with, at most 15. */
export function decimalsIn(text: string): number {
  return Math.min(15, /\.(\d+)$/.exec(text.trim())?.[1]?.length ?? 0)
}
