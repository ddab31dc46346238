/** Names of columns that a text lists. */
const listedNames = 5

/** Returns the difference of the columns of a stored series file and of a new version of it; empty if they are equal. */
export function columnsText(stored: readonly string[], added: readonly string[]): string {
  const isEqual = stored.length === added.length && added.every((name) => stored.includes(name))
  return isEqual
    ? ''
    : `The stored file has other columns: ${listOf(stored)}. The new version has ${listOf(added)}.`
}

function listOf(names: readonly string[]): string {
  const more = names.length - listedNames
  return [...names.slice(0, listedNames), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
