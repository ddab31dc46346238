import type { RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Executor } from '@headwater/server-kit'

/** Tables that the SQL of items uses. */
export interface ItemTables {
  items: {
    id: string
    kind: string
    group_id: number
    name: string
    owner_id: number
    version: number
    created_at: Date
    updated_at: Date
  }
  item_versions: {
    item_id: string
    version: number
    kind: string
    content: unknown
    summary: unknown
    saved_by: number
    saved_at: Date
  }
}

/** A kind of items: what its versions hold, and what its lists show. */
export interface ItemKind<Content, Summary, Extra> {
  /** Such as `pipeline`; the schedules of the items have the same kind. */
  kind: string
  /** What lists show and conditions compare; stored with each version, so that lists do not read contents. */
  summaryOf: (content: Content) => Summary
  /** Upgrades a stored content to its present form; by default it is taken as it was stored. */
  contentOf?: (stored: Content) => Content
  /** What lists show of other tables. */
  extra?: ItemExtra<Extra>
}

/** Columns of another table; `item` and `saved` are the item and its version. */
export interface ItemExtra<Extra> {
  join: RawBuilder<unknown>
  columns: { [Name in keyof Extra]: RawBuilder<Extra[Name]> }
}

/** A version of an item as lists show it. */
export interface StoredItem<Summary> {
  id: string
  groupId: number
  groupName: string
  name: string
  /** User name of the creator. */
  owner: string
  createdAt: Date
  version: number
  newestVersion: number
  summary: Summary
  /** User name of the author of the version. */
  savedBy: string
  savedById: number
  savedAt: Date
}

/** Author and time of a save. */
export interface SavedBy {
  savedBy: number
  savedAt: Date
}

/** What a save writes. */
export interface ItemSave<Content> extends SavedBy {
  groupId: number
  name: string
  content: Content
}

/** Where an item is: names are unique among the items of one kind in a group. */
export interface ItemLocation {
  groupId: number
  name: string
}

/** An item by its id, or by group and name. */
export type ItemAddress = { id: string } | ItemLocation

/** How a write takes part in more than itself. */
export interface WriteOptions {
  /** Transaction to take part in; by default the write has one of its own. */
  executor?: Executor | undefined
  /** Takes part in the transaction of the write, after it. */
  note?: ((executor: Executor) => Promise<void>) | undefined
}

/** Which versions to find; conditions are joined by “and”. Texts match in any letter case; `*` stands for any text. */
export interface ItemFilter {
  /** The groups to search. */
  scope: AccessScope
  /** The newest version of each item, or every version. */
  latest: boolean
  id?: string | undefined
  /** Part of the name. */
  nameContains?: string | undefined
  /** The whole name. */
  namePattern?: string | undefined
  /** The whole name of the group. */
  groupPattern?: string | undefined
  /** The exact name of the group. */
  groupName?: string | undefined
  /** Conditions of the kind, on `item`, `saved`, `groups` and its joined tables. */
  where?: readonly RawBuilder<unknown>[]
}

/** A filter, or one of an item that the caller is known to have access to. */
export type ListFilter = Omit<ItemFilter, 'scope'> & { scope?: AccessScope }

export interface ItemPage {
  sortBy: 'updated' | 'created' | 'name'
  sortOrder: 'asc' | 'desc'
  from: number
  size: number
}

export type CreateOutcome = 'created' | 'name-taken' | 'group-gone'
export type SaveOutcome = 'saved' | 'changed' | 'gone' | 'name-taken' | 'group-gone'

/** The items of one kind in PostgreSQL. */
export interface ItemStore<Content, Summary = object, Extra = unknown> {
  search(
    filter: ItemFilter,
    page: ItemPage,
  ): Promise<{ items: (StoredItem<Summary> & Extra)[]; total: number }>
  /** All versions of an item, newest first. */
  listVersions(
    id: string,
    page: { from: number; size: number },
  ): Promise<{ items: (StoredItem<Summary> & Extra)[]; total: number }>
  /** The given versions with their contents, in the same order. */
  withContents<Item extends { id: string; version: number }>(
    items: readonly Item[],
  ): Promise<(Item & { content: Content })[]>
  /**
   * A version with its content, by default the newest; undefined if it does not exist.
   * @param options.lock keeps others from saving the item until the transaction of `executor` ends
   */
  find(
    by: ItemAddress,
    version?: number,
    options?: { executor?: Executor; lock?: boolean },
  ): Promise<(StoredItem<Summary> & Extra & { content: Content }) | undefined>
  /** Saves a new item as version 1. */
  create(id: string, item: ItemSave<Content>, options?: WriteOptions): Promise<CreateOutcome>
  /**
   * Saves a new version; another name or group renames or moves the item.
   * @param item.basedOn version that was edited: a newer one refuses the save; undefined replaces any version
   */
  save(
    id: string,
    item: ItemSave<Content> & { basedOn: number | undefined },
    options?: WriteOptions,
  ): Promise<SaveOutcome>
  /** Renames or moves an item: saves its newest content under another name or in another group. */
  move(
    id: string,
    to: SavedBy & { groupId?: number; name?: string; basedOn: number | undefined },
    options?: WriteOptions,
  ): Promise<SaveOutcome>
  /** Saves the content of an earlier version as the newest one. */
  restore(
    id: string,
    version: number,
    by: SavedBy & { basedOn: number | undefined },
    options?: WriteOptions,
  ): Promise<SaveOutcome>
  /** Saves the content of a version as a new item; 'gone' when there is no such version. */
  copy(
    from: { id: string; version?: number },
    to: SavedBy & { id: string; groupId: number; name: string },
    options?: WriteOptions,
  ): Promise<CreateOutcome | 'gone'>
  remove(id: string, executor?: Executor): Promise<void>
  /**
   * Records a version whose bytes another feature stores, under the number that it has there; the first one creates the item.
   * Part of the transaction that stores the bytes, which also makes sure that no two of them write the same name.
   */
  record(
    at: ItemLocation,
    version: SavedBy & { version: number; content: Content },
    executor: Executor,
  ): Promise<void>
  /** Deletes a recorded version, and an item without versions. */
  unrecord(at: ItemLocation, version: number, executor: Executor): Promise<void>
  /** Renames or moves an item without a version, where the new name is free. */
  relocate(from: ItemLocation, to: ItemLocation, executor: Executor): Promise<void>
  /** Keeps an item from being deleted until the transaction ends; false when there is no such item. */
  hold(id: string, executor: Executor): Promise<boolean>
  /** Ids of the items in a group. */
  listIds(groupId: number, executor: Executor): Promise<string[]>
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
}
