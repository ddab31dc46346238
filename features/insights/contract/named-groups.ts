/** Returns names of groups for a message: the group “A”, the groups “A”, “B”. */
export function namedGroups(names: readonly string[]): string {
  return `${names.length === 1 ? 'the group' : 'the groups'} ${names.map((name) => `“${name}”`).join(', ')}`
}
