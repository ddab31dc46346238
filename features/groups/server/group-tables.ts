import { sql } from 'kysely'
import type { GroupAccessMode, GroupContentsCount, GroupField } from '../contract/index.ts'

/** A row of the view of groups that are not deleted. */
export interface LiveGroupRow {
  id: number
  name: string
  description: string
  fields: GroupField[]
  owner_id: number
  home_of: number | null
  created_at: Date
  version: number
  changed_by: number | null
}

/** Tables and views that the SQL of groups uses. */
export interface GroupTables {
  /**
   * Groups, including deleted ones, which only the store of deleted groups reads. For a home group, `home_of` is the id of
   * its user.
   */
  groups: LiveGroupRow & {
    deleted_at: Date | null
    deleted_by: number | null
    deleted_contents: GroupContentsCount | null
  }
  /** View of groups that are not deleted. */
  live_groups: LiveGroupRow
  /** Grants; `source_id` is empty for a direct share. */
  group_grants: {
    group_id: number
    user_id: number
    source: 'direct' | 'insight'
    source_id: string
    access: GroupAccessMode
    data_from: Date | null
    data_to: Date | null
    ends_at: Date | null
    shared_by: number | null
    shared_at: Date
    suspended_by: number | null
  }
  /** View of the access of each user to each group, from ownership and all grants without a range. */
  effective_grants: {
    group_id: number
    user_id: number
    access: GroupAccessMode
  }
  /** Tags. */
  group_tags: { id: number; name: string }
  /** Tags of groups. */
  group_tag_links: { group_id: number; tag_id: number }
  /** View of accounts: names of users. */
  user_names: { id: number; user_name: string }
}

/**
 * Condition on `group_grants`: the grant has not ended and is not suspended. Grants of insights in deleted groups are
 * suspended.
 */
export const isInEffect = sql<boolean>`((group_grants.ends_at is null or group_grants.ends_at > now())
  and group_grants.suspended_by is null)`

/** Condition on `group_grants`: the grant has a range. */
export const hasRange = sql<boolean>`(group_grants.data_from is not null or group_grants.data_to is not null)`
