import type { AccessMode } from '@headwater/contract'

/** Limits of the data that a user can read, as instants: `from` is included, `to` is not. Null: no limit. */
export interface DataRange {
  readonly from: Date | null
  readonly to: Date | null
}

declare const madeByGroups: unique symbol

/**
 * The groups that a principal can use at a mode. Only features/groups makes scopes, from the effective grants, so code that
 * takes a scope cannot be called with ids that nobody checked.
 */
export interface AccessScope {
  readonly [madeByGroups]: true
  /** What the principal may do in each of the groups, at least. */
  readonly access: AccessMode
  /** Ids of the groups, ascending; `all` for an administrator. */
  readonly groupIds: readonly number[] | 'all'
  /** Whether a group is in the scope. */
  has(this: void, groupId: number): boolean
  /** The data of a group that the scope opens; undefined when the group is not in the scope. */
  rangeOf(this: void, groupId: number): DataRange | undefined
}

/** The range of owners, administrators and grants without limits. */
export const unlimitedRange: DataRange = { from: null, to: null }

/** Makes a scope; only for features/groups, which does not export it. */
export function makeScope(access: AccessMode, ranges: ReadonlyMap<number, DataRange> | 'all'): AccessScope {
  if (ranges === 'all') return scope(access, 'all', () => unlimitedRange)
  const groupIds = [...ranges.keys()].toSorted((a, b) => a - b)
  return scope(access, groupIds, (groupId) => ranges.get(groupId))
}

/** The part of a scope that lies in these groups. */
export function narrowScope(whole: AccessScope, groupIds: Iterable<number>): AccessScope {
  const ranges = new Map<number, DataRange>()
  for (const groupId of groupIds) {
    const range = whole.rangeOf(groupId)
    if (range !== undefined) ranges.set(groupId, range)
  }
  return makeScope(whole.access, ranges)
}

/** The groups that are in each of the scopes, with the data that all of them open; without scopes none. */
export function commonScope(scopes: readonly AccessScope[]): AccessScope {
  return scopes.length === 0 ? makeScope('R', new Map()) : scopes.reduce(intersection)
}

function intersection(one: AccessScope, other: AccessScope): AccessScope {
  const access = lower(one.access, other.access)
  const groupIds = one.groupIds === 'all' ? other.groupIds : one.groupIds
  if (groupIds === 'all') return makeScope(access, 'all')
  const ranges = new Map<number, DataRange>()
  for (const groupId of groupIds) {
    const [range, limit] = [one.rangeOf(groupId), other.rangeOf(groupId)]
    if (range !== undefined && limit !== undefined) ranges.set(groupId, narrowest(range, limit))
  }
  return makeScope(access, ranges)
}

function scope(
  access: AccessMode,
  groupIds: readonly number[] | 'all',
  rangeOf: (groupId: number) => DataRange | undefined,
): AccessScope {
  const made: Omit<AccessScope, typeof madeByGroups> = {
    access,
    groupIds,
    rangeOf,
    has: (groupId) => rangeOf(groupId) !== undefined,
  }
  return made as AccessScope
}

/** Each mode has the letters of those below it. */
function lower(one: AccessMode, other: AccessMode): AccessMode {
  return one.length < other.length ? one : other
}

function narrowest(one: DataRange, other: DataRange): DataRange {
  return {
    from: one.from && other.from ? (one.from > other.from ? one.from : other.from) : (one.from ?? other.from),
    to: one.to && other.to ? (one.to < other.to ? one.to : other.to) : (one.to ?? other.to),
  }
}
