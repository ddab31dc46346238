import { isRecord } from '@headwater/contract'
/**
 * Returns whether a field of a definition contains the name of a group: `groupName`, `columnAsyncGroupName` and so on.
 * …
 */
const isGroupField = (field: string) => /^group$|groupName$|^outputGroup$/i.test(field)

/** Returns the names of the groups in a value of a definition. */
export function groupsIn(value: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) groupsIn(inner, names)
  else if (isRecord(value))
    for (const [key, inner] of Object.entries(value))
      if (isGroupField(key) && typeof inner === 'string') {
        if (inner !== '') names.add(inner)
      } else groupsIn(inner, names)
  return names
}

/** Replaces the names of the groups in a definition. */
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
