/** Whether a field holds the name of a group, wherever in a definition it stands: `groupName`, `columnAsyncGroupName` … */
const isGroupField = (field: string) => /^group$|groupName$|^outputGroup$/i.test(field)

/** The names of the groups whose data a value of a definition names. */
export function groupsIn(value: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) groupsIn(inner, names)
  else if (isRecord(value))
    for (const [key, inner] of Object.entries(value))
      if (isGroupField(key) && typeof inner === 'string') {
        if (inner !== '') names.add(inner)
      } else groupsIn(inner, names)
  return names
}

/** The same definition with other words for its groups. */
export function withGroups<T>(value: T, nameFor: (groupName: string) => string): T {
  if (Array.isArray(value)) return value.map((inner: unknown) => withGroups(inner, nameFor)) as T
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      isGroupField(key) && typeof inner === 'string'
        ? [key, inner === '' ? '' : nameFor(inner)]
        : [key, withGroups(inner, nameFor)],
    ),
  ) as T
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
