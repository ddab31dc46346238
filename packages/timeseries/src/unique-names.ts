/** Adds `_2`, `_3`, … to names that repeat an earlier one. */
export function uniqueNames(names: readonly string[]): string[] {
  const all = new Set(names)
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return names.map((name) => {
    let unique = name
    for (let count = counts.get(name) ?? 1; taken.has(unique);) {
      unique = `${name}_${++count}`
      counts.set(name, count)
      if (all.has(unique)) taken.add(unique)
    }
    taken.add(unique)
    return unique
  })
}
