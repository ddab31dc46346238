const notAllowed = /[^\p{L}\p{M}\p{N}()_ -]/gu

/** Takes out of a title what it may not hold: it has letters, digits, parentheses, hyphen, underscore and space. */
export function cleanTitle(title: string): string {
  return title.replace(notAllowed, '')
}

/** The title, with `(1)` appended as often as it takes to differ from all others: the third copy of A is `A(1)(1)`. */
export function uniqueTitle(title: string, others: Iterable<string>): string {
  const taken = new Set(others)
  let unique = title
  while (taken.has(unique)) unique += '(1)'
  return unique
}
