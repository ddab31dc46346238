/** Maximum number of column names in a text. */
const listedNames = 5

/** Describes the difference between the columns of a stored series file and of its new version; empty if they are equal. */
export function columnsText(stored: readonly string[], added: readonly string[]): string {
  const isEqual = stored.length === added.length && added.every((name) => stored.includes(name))
  return isEqual ? '' : `The columns differ. Stored file: ${listOf(stored)}. New version: ${listOf(added)}.`
}

function listOf(names: readonly string[]): string {
  const more = names.length - listedNames
  return [...names.slice(0, listedNames), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
