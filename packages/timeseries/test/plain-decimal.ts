/** Formats a number as in a result: the shortest distinct text, the exponent without a plus. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e')
}
