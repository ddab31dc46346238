/** Databases of the engine. */
export const reservedNames: readonly string[] = [
  'system',
  'information_schema',
  'default',
  '_temporary_and_external_tables',
]

/** Returns the problem with the name of a table, as a sentence; undefined for a valid one. */
export function problemOfTableName(name: string): string | undefined {
  if (reservedNames.includes(name.toLowerCase()))
    return `“${name}” is a reserved name. Choose another name for the table.`
  return /^[\p{L}_][\p{L}\p{N}_ #-]{0,99}$/u.test(name)
    ? undefined
    : `“${name.slice(0, 100)}” cannot be the name of a table. Start with a letter; letters, digits, spaces, _, - and # can follow.`
}
