/** The powers of ten that a double represents exactly. */
export const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** Whole numbers of up to this many digits are exact in a double. */
export const exactDigits = 15

/** Result of {@link parseNumberBytes} for bytes that are not a number. */
const notANumber = Number.NaN

/**
 * Parses a decimal number (`-12.5`, `.5`, `1e-7`) from ASCII bytes; the result is bit-identical to `Number(text)`.
 * Surrounding spaces are allowed. All other text, including `Infinity`, `NaN` and hexadecimal numbers, returns NaN. A number
 * too large for a double returns Infinity. For up to 15 significant digits and a power of ten up to 22, one correctly
 * rounded division or product is exact (W. D. Clinger, How to read floating point numbers accurately, 1990). `Number` parses
 * the others.
 */
export function parseNumberBytes(bytes: Buffer, start: number, end: number): number {
  while (start < end && isBlank(bytes[start]!)) start++
  while (end > start && isBlank(bytes[end - 1]!)) end--
  let at = start
  let negative = false
  const sign = bytes[at]
  if (at < end && (sign === 0x2d || sign === 0x2b)) {
    negative = sign === 0x2d
    at++
  }
  let mantissa = 0
  let digits = 0
  let significant = 0
  let exponent = 0
  for (; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) break
    digits++
    if (significant > 0 || digit > 0) significant++
    if (significant <= exactDigits) mantissa = mantissa * 10 + digit
  }
  if (at < end && bytes[at] === 0x2e) {
    for (at++; at < end; at++) {
      const digit = bytes[at]! - 0x30
      if (digit < 0 || digit > 9) break
      digits++
      exponent--
      if (significant > 0 || digit > 0) significant++
      if (significant <= exactDigits) mantissa = mantissa * 10 + digit
    }
  }
  if (digits === 0) return notANumber
  if (at < end) {
    if (bytes[at] !== 0x65 && bytes[at] !== 0x45) return notANumber
    at++
    let exponentNegative = false
    if (at < end && (bytes[at] === 0x2d || bytes[at] === 0x2b)) exponentNegative = bytes[at++] === 0x2d
    if (at === end) return notANumber
    let written = 0
    for (; at < end; at++) {
      const digit = bytes[at]! - 0x30
      if (digit < 0 || digit > 9) return notANumber
      if (written < 100_000) written = written * 10 + digit
    }
    exponent += exponentNegative ? -written : written
  }
  if (significant > exactDigits || exponent < -22 || exponent > 22)
    return Number(bytes.toString('latin1', start, end))
  const value = exponent < 0 ? mantissa / powersOfTen[-exponent]! : mantissa * powersOfTen[exponent]!
  return negative ? -value : value
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09
}
