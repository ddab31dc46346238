const separators = [',', ';', '\t', '|']

/**
 * The separator (comma, semicolon, tab or bar) that is most frequent outside of quotes in the first line with text; a comma if there is none.
 * @param text beginning of a file
 * @param isWhole whether no more text follows
 * @returns undefined until the text has that line
 */
export function findSeparator(text: string, isWhole: boolean): string | undefined {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && (letter === '\n' || letter === '\r')) {
      if (at > 0 && text.slice(0, at).trim() !== '') return mostFrequent(counts)
    } else if (!isQuoted && separators.includes(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  return isWhole ? mostFrequent(counts) : undefined
}

function mostFrequent(counts: ReadonlyMap<string, number>): string {
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a)
  return first?.[0] ?? ','
}
