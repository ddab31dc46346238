/** The text of a number in an answer: as short as it can be told apart, the exponent without a plus. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e')
}
