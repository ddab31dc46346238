import { commonAccess, type GroupAccessMode } from '../contract/index.ts'

/**
 * Limits of readable data: `from` is inclusive and `to` exclusive. Null means no limit. At least one of them is set.
 */
export interface DataRange {
  /** Start, included. */
  readonly from: Date | null
  /** End, excluded. */
  readonly to: Date | null
}

declare const madeByGroups: unique symbol

/**
 * The groups that a principal can use at a mode, with all their data. Only features/groups creates scopes, from the
 * effective grants, so a function with a scope parameter cannot be called with unchecked ids.
 */
export interface AccessScope {
  /** Marks scopes of this feature at compile time; not present at run time. */
  readonly [madeByGroups]: true
  /** Access that the principal has at least to each of the groups. */
  readonly access: GroupAccessMode
  /** Ids of the groups, ascending; `all` for an administrator. */
  readonly groupIds: readonly number[] | 'all'
  /** Returns whether a group is in the scope. */
  has(this: void, groupId: number): boolean
}

/** Creates a scope. Only features/groups can use it, because it is not exported. */
export function makeScope(access: GroupAccessMode, groups: Iterable<number> | 'all'): AccessScope {
  const ids = groups === 'all' ? undefined : new Set(groups)
  const made: Omit<AccessScope, typeof madeByGroups> = {
    access,
    groupIds: ids === undefined ? 'all' : [...ids].toSorted((a, b) => a - b),
    has: (groupId) => ids?.has(groupId) ?? true,
  }
  return made as AccessScope
}

/** A group whose data a principal can read only within a range. Only features/groups creates it, from the effective grants. */
export interface LimitedGroup {
  /** Marks groups of this feature at compile time; not present at run time. */
  readonly [madeByGroups]: true
  /** Id of the group. */
  readonly id: number
  /** Unique name. */
  readonly name: string
  /** Readable data. */
  readonly range: DataRange
}

/** The ranges that a lookup applies: the range of one group, or the ids of the groups for which it applies the ranges. */
export type AppliedRanges = { readonly range: DataRange } | { readonly groupIds: readonly number[] }

/** Creates a limited group. Only features/groups can use it, because it is not exported. */
export function makeLimited(group: Omit<LimitedGroup, typeof madeByGroups>): LimitedGroup {
  return group as LimitedGroup
}

/**
 * Returns the scope of limited groups for a lookup that applies their ranges. There is no other way to get a scope of a
 * limited group. The result is an ordinary scope; pass it only to that lookup.
 * @throws Error if `applied` does not contain the ranges of all groups
 */
export function scopeWithin(groups: readonly LimitedGroup[], applied: AppliedRanges): AccessScope {
  const isApplied = ({ id, range }: LimitedGroup) =>
    'range' in applied ? applied.range === range : applied.groupIds.includes(id)
  const missing = groups.find((group) => !isApplied(group))
  if (missing !== undefined) throw new Error(`The range of the group ${missing.id} is not applied.`)
  return makeScope(
    'R',
    groups.map(({ id }) => id),
  )
}

/** Returns the groups of a scope that are in `groupIds`. */
export function narrowScope(whole: AccessScope, groupIds: Iterable<number>): AccessScope {
  return makeScope(whole.access, [...groupIds].filter(whole.has))
}

/** Returns the groups that are in all scopes; empty if there are no scopes. */
export function commonScope(scopes: readonly AccessScope[]): AccessScope {
  return scopes.length === 0 ? makeScope('R', []) : scopes.reduce(intersection)
}

/** Returns the groups that are in at least one of two scopes. */
export function joinScopes(one: AccessScope, other: AccessScope): AccessScope {
  const access = commonAccess(one.access, other.access)
  if (one.groupIds === 'all' || other.groupIds === 'all') return makeScope(access, 'all')
  return makeScope(access, [...one.groupIds, ...other.groupIds])
}

function intersection(one: AccessScope, other: AccessScope): AccessScope {
  const access = commonAccess(one.access, other.access)
  if (one.groupIds === 'all') return makeScope(access, other.groupIds)
  return makeScope(access, one.groupIds.filter(other.has))
}
