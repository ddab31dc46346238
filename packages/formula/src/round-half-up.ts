/** From here on doubles have no decimals. */
const wholeFrom = 2 ** 52
/** Of a product and of a shortest text, together: half a unit in the last place each, with a reserve. */
const maxFault = 1.01 * 2 ** -52

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
  const nearest = rest < 0.5 ? whole : whole + 1
  // The product is off by a rounding, and so is the text; in between its digits decide. A division by a power of ten is exact to the last bit.
  const isClear = scaled < wholeFrom && Math.abs(rest - 0.5) > scaled * maxFault
  // If a decimal of so many places reads as the value, the shortest text has no more places. The next doubles are so far away from here on
  // that there is always one.
  const isShort = scaled >= 2 ** 54 || nearest / factor === size
  const rounded = isShort ? size : isClear ? nearest / factor : roundText(size, places)
  return value < 0 ? -rounded : rounded
}

function roundText(size: number, places: number): number {
  const [mantissa, exponent] = size.toExponential().split('e') as [string, string]
  const digits = mantissa.replace('.', '')
  const kept = Number(exponent) + 1 + places
  if (kept >= digits.length) return size
  if (kept < 0) return 0
  // From 2^53 on the texts have no more places than asked for, so a double holds the digits exactly.
  return (Number(digits.slice(0, kept)) + (digits[kept]! >= '5' ? 1 : 0)) / 10 ** places
}
