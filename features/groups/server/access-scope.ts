import type { AccessMode } from '@headwater/contract'

/** Limits of the data that a user can read, as instants: `from` is included, `to` is not. Null: no limit. */
export interface DataRange {
  /** Start, included; null for no limit. */
  readonly from: Date | null
  /** End, excluded; null for no limit. */
  readonly to: Date | null
}

declare const madeByGroups: unique symbol

/**
 * The groups that a principal can use at a mode. Only features/groups makes scopes, from the effective grants, so a function
 * with a scope parameter cannot be called with unchecked ids.
 */
export interface AccessScope {
  /** Marks scopes of this feature at compile time; not present at run time. */
  readonly [madeByGroups]: true
  /** The minimum access of the principal to each of the groups. */
  readonly access: AccessMode
  /** Ids of the groups, ascending; `all` for an administrator. */
  readonly groupIds: readonly number[] | 'all'
  /** Returns whether a group is in the scope. */
  has(this: void, groupId: number): boolean
  /** Returns the readable data of a group; undefined if the group is not in the scope. */
  rangeOf(this: void, groupId: number): DataRange | undefined
}

/** The range of owners, administrators and grants without limits. */
export const unlimitedRange: DataRange = { from: null, to: null }

/** Creates a scope. Only for features/groups, which does not export it. */
export function makeScope(access: AccessMode, ranges: ReadonlyMap<number, DataRange> | 'all'): AccessScope {
  if (ranges === 'all') return scope(access, 'all', () => unlimitedRange)
  const groupIds = [...ranges.keys()].toSorted((a, b) => a - b)
  return scope(access, groupIds, (groupId) => ranges.get(groupId))
}

/** Returns the part of a scope in these groups. */
export function narrowScope(whole: AccessScope, groupIds: Iterable<number>): AccessScope {
  const ranges = new Map<number, DataRange>()
  for (const groupId of groupIds) {
    const range = whole.rangeOf(groupId)
    if (range !== undefined) ranges.set(groupId, range)
  }
  return makeScope(whole.access, ranges)
}

/** Returns the groups that are in all scopes, with the data that is readable in all of them; empty without scopes. */
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

/** A longer mode includes the shorter ones. */
function lower(one: AccessMode, other: AccessMode): AccessMode {
  return one.length < other.length ? one : other
}

function narrowest(one: DataRange, other: DataRange): DataRange {
  return {
    /** Start, included; null for no limit. */
    from: one.from && other.from ? (one.from > other.from ? one.from : other.from) : (one.from ?? other.from),
    /** End, excluded; null for no limit. */
    to: one.to && other.to ? (one.to < other.to ? one.to : other.to) : (one.to ?? other.to),
  }
}
