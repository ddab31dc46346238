/** Doubles from here on have no decimals. */
const wholeFrom = 2 ** 52
/** Combined relative error of a product and of a shortest text: half a unit in the last place each, with a margin. */
const maxFault = 1.01 * 2 ** -52

/**
 * Rounds half away from zero by decimal digits, not by binary fractions: 1.005 to two decimals is 1.01, as its shortest
 * text reads. NaN stays NaN.
 * @param decimals 0 to 15
 */
export function roundHalfUp(value: number, decimals: number): number {
  const size = Math.abs(value)
  if (!(size < wholeFrom)) return value
  const factor = 10 ** decimals
  const scaled = size * factor
  const whole = Math.floor(scaled)
  const rest = scaled - whole
  const nearest = rest < 0.5 ? whole : whole + 1
  // The product has a rounding error, and so does the text; near a half, the digits decide. A division by a power of
  // ten is exact to the last bit.
  const isClear = scaled < wholeFrom && Math.abs(rest - 0.5) > scaled * maxFault
  // If a number with this many decimals reads as the value, the shortest text has no more decimals. Above this size,
  // doubles are so far apart that there always is one.
  const isShort = scaled >= 2 ** 54 || nearest / factor === size
  const rounded = isShort ? size : isClear ? nearest / factor : roundText(size, decimals)
  return value < 0 ? -rounded : rounded
}

function roundText(size: number, decimals: number): number {
  const [mantissa, exponent] = size.toExponential().split('e') as [string, string]
  const digits = mantissa.replace('.', '')
  const digitCount = Number(exponent) + 1 + decimals
  if (digitCount >= digits.length) return size
  if (digitCount < 0) return 0
  // From 2^53 on the texts have no more decimals than requested, so a double holds the digits exactly.
  return (Number(digits.slice(0, digitCount)) + (digits[digitCount]! >= '5' ? 1 : 0)) / 10 ** decimals
}
