/** Doubles of this size and above have no decimals. */
const wholeFrom = 2 ** 52
/**
 * Combined relative error of a product and of a shortest decimal text (half a unit in the last place each), with a
 * margin.
 */
const maxFault = 1.01 * 2 ** -52

/**
 * Rounds half away from zero by decimal digits, not by binary fractions: 1.005 becomes 1.01 with two decimals, because
 * “1.005” is its shortest decimal text. NaN stays NaN.
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
  // The product and the shortest text both have rounding errors, so close to a half the digits decide. A division by a
  // power of ten is correctly rounded.
  const isClear = scaled < wholeFrom && Math.abs(rest - 0.5) > scaled * maxFault
  // If a number with this many decimals parses as the value, the shortest text does not have more decimals. Above this
  // size, doubles are so far apart that such a number always exists.
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
  // From 2^53 on, the texts have at most the requested decimals, so a double represents the digits exactly.
  return (Number(digits.slice(0, digitCount)) + (digits[digitCount]! >= '5' ? 1 : 0)) / 10 ** decimals
}
