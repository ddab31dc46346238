/** From here on doubles have no decimals. */
const wholeFrom = 2 ** 52

/**
 * Rounds as decimals do, not as binary fractions: 1.005 to two places is 1.01, as its shortest text says. NaN stays NaN.
 * @param places 0 to 15
 */
export function roundHalfUp(value: number, places: number): number {
  const size = Math.abs(value)
  if (!(size < wholeFrom)) return value
  const factor = 10 ** places
  const scaled = size * factor
  const whole = Math.floor(scaled)
  const rest = scaled - whole
  // The product is off by a rounding, and so is the text; in between its digits decide. A division by a power of ten is exact to the last bit.
  const isClear = scaled < wholeFrom && Math.abs(rest - 0.5) > scaled * 2 ** -50
  const rounded = isClear ? (rest < 0.5 ? whole : whole + 1) / factor : roundText(size, places)
  return value < 0 ? -rounded : rounded
}

function roundText(size: number, places: number): number {
  const [mantissa, exponent] = size.toExponential().split('e') as [string, string]
  const digits = mantissa.replace('.', '')
  const kept = Number(exponent) + 1 + places
  if (kept >= digits.length) return size
  if (kept < 0) return 0
  const whole = BigInt(digits.slice(0, kept) || '0') + (digits[kept]! >= '5' ? 1n : 0n)
  return Number(`${whole}e-${places}`)
}
