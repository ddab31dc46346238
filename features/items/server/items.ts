import type { RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Executor } from '@headwater/server-kit'
import type { ItemLink } from './item-links.ts'

/** Tables that the SQL of items uses. */
export interface ItemTables {
  /** Items; `version` is the newest version. */
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
  /** Versions of items with content and summary. */
  item_versions: {
    item_id: string
    version: number
    kind: string
    content: unknown
    summary: unknown
    saved_by: number
    saved_at: Date
    links_pending: boolean
  }
}

/** A kind of items: its content, its summary and additional columns of lists. */
export interface ItemKind<Content, Summary, Extra> {
  /** Name of the kind, for example `pipeline`. The schedules of its items have the same kind. */
  kind: string
  /** Returns the fields for lists and conditions. Stored with each version, so that lists do not read contents. */
  summaryOf: (content: Content) => Summary
  /** Upgrades stored content to the current form; default no change. */
  contentOf?: (stored: Content) => Content
  /** Returns the objects that the content references. Each save stores them with the version. Default: none. */
  linksOf?: (content: Content) => readonly ItemLink[]
  /**
   * Returns the objects that the content references, for content in files. A job stores them soon after each save.
   * Default {@link linksOf}.
   */
  readLinks?: (content: Content) => Promise<readonly ItemLink[]>
  /** Columns of other tables for lists. */
  extra?: ItemExtra<Extra>
}

/** Columns of another table; `item` and `saved` are the item and its version. */
export interface ItemExtra<Extra> {
  /** The join. */
  join: RawBuilder<unknown>
  /** The columns. */
  columns: { [Name in keyof Extra]: RawBuilder<Extra[Name]> }
}

/** A version of an item without its content. */
export interface StoredItem<Summary> {
  /** Id of the item, a UUID. */
  id: string
  /** Id of the group. */
  groupId: number
  /** Name of the group. */
  groupName: string
  /** Name of the item. */
  name: string
  /** User name of the creator. */
  owner: string
  /** Time of creation of the item. */
  createdAt: Date
  /** Number of this version, from 1. */
  version: number
  /** Number of the newest version. */
  newestVersion: number
  /** Summary of the content. */
  summary: Summary
  /** User name of the author of the version. */
  savedBy: string
  /** Id of the author of the version. */
  savedById: number
  /** Time of the save. */
  savedAt: Date
}

/** Author and time of a save. */
export interface SavedBy {
  /** Id of the author. */
  savedBy: number
  /** Time of the save. */
  savedAt: Date
}

/** The values of a save. */
export interface ItemSave<Content> extends SavedBy {
  /** Id of the group. */
  groupId: number
  /** Name of the item. */
  name: string
  /** Content of the version. */
  content: Content
}

/** Group and name of an item; names are unique among the items of one kind in a group. */
export interface ItemLocation {
  /** Id of the group. */
  groupId: number
  /** Name of the item. */
  name: string
}

/** An item by its id, or by group and name. */
export type ItemAddress = { id: string } | ItemLocation

/** Options of a write. */
export interface WriteOptions {
  /** Transaction to join; default a new one. */
  executor?: Executor | undefined
  /** Runs in the transaction after a successful write. */
  inSameTransaction?: ((executor: Executor) => Promise<void>) | undefined
}

/** Filters of versions, joined by “and”. Texts match regardless of case; `*` is a wildcard. */
export interface ItemFilter {
  /** The groups to search. */
  scope: AccessScope
  /** Whether to return only the newest version of each item. */
  latest: boolean
  /** Exactly this item. */
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

/** A filter. It has no scope for an item whose access has already been checked. */
export type ListFilter = Omit<ItemFilter, 'scope'> & { scope?: AccessScope }

/** Order and page of a search. */
export interface ItemPage {
  /** Sort key. */
  sortBy: 'updated' | 'created' | 'name'
  /** Sort order. */
  sortOrder: 'asc' | 'desc'
  /** Number of items to skip. */
  from: number
  /** Maximum number of items. */
  size: number
}

/** Result of creating an item. */
export type CreateOutcome = 'created' | 'name-taken' | 'group-gone'
/** Result of a save: `changed` if a newer version exists, `gone` if the item does not exist. */
export type SaveOutcome = 'saved' | 'changed' | 'gone' | 'name-taken' | 'group-gone'

/** Stores the items of one kind. */
export interface ItemStore<Content, Summary = object, Extra = unknown> {
  /** Returns a page of matching versions. */
  search(
    filter: ItemFilter,
    page: ItemPage,
  ): Promise<{ items: (StoredItem<Summary> & Extra)[]; total: number }>
  /** Returns a page of the distinct texts of a list field in the summaries of the newest versions. */
  listTexts(
    field: keyof Summary & string,
    filter: { scope: AccessScope; contains: string },
    page: { sortOrder: 'asc' | 'desc'; from: number; size: number },
  ): Promise<{ items: string[]; total: number }>
  /** Returns a page of the versions of an item, newest first. */
  listVersions(
    id: string,
    page: { from: number; size: number },
  ): Promise<{ items: (StoredItem<Summary> & Extra)[]; total: number }>
  /** Returns the given versions with their contents, in the same order. */
  withContents<Item extends { id: string; version: number }>(
    items: readonly Item[],
  ): Promise<(Item & { content: Content })[]>
  /**
   * Returns a version with its content, by default the newest; undefined if it does not exist.
   * @param options.lock prevents other saves of the item until the transaction of `executor` ends
   */
  find(
    by: ItemAddress,
    version?: number,
    options?: { executor?: Executor; lock?: boolean },
  ): Promise<(StoredItem<Summary> & Extra & { content: Content }) | undefined>
  /** Saves a new item as version 1. */
  create(id: string, item: ItemSave<Content>, options?: WriteOptions): Promise<CreateOutcome>
  /**
   * Saves a new version; a different name or group renames or moves the item.
   * @param item.basedOn the edited version; the save is rejected if a newer one exists; undefined replaces any
   *   version
   */
  save(
    id: string,
    item: ItemSave<Content> & { basedOn: number | undefined },
    options?: WriteOptions,
  ): Promise<SaveOutcome>
  /**
   * Changes the newest version without saving a new one. Author and time of the version remain unchanged.
   * @param change.basedOn the edited version; the change is rejected if a newer one exists; undefined changes
   * any version
   */
  amend(
    id: string,
    change: {
      name?: string | undefined
      content?: (stored: Content) => Content
      basedOn?: number | undefined
    },
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
  /** Saves the content of a version as a new item; `gone` if the version does not exist. */
  copy(
    from: { id: string; version?: number },
    to: SavedBy & { id: string; groupId: number; name: string },
    options?: WriteOptions,
  ): Promise<CreateOutcome | 'gone'>
  /** Deletes an item with its versions. */
  remove(id: string, executor?: Executor): Promise<void>
  /**
   * Records a version that another feature stores, with the number from that feature. The first version creates the
   * item. Runs in the transaction that stores the version, which also serialises writes of the same name.
   */
  record(
    at: ItemLocation,
    version: SavedBy & { version: number; content: Content },
    executor: Executor,
  ): Promise<void>
  /** Deletes a recorded version, and the item if it has no more versions. */
  unrecord(at: ItemLocation, version: number, executor: Executor): Promise<void>
  /** Renames or moves an item without a new version. The new name must be free. */
  relocate(from: ItemLocation, to: ItemLocation, executor: Executor): Promise<void>
  /** Prevents the deletion of an item until the transaction ends; returns false if it does not exist. */
  hold(id: string, executor: Executor): Promise<boolean>
  /** Returns the ids of the items in a group. */
  listIds(groupId: number, executor: Executor): Promise<string[]>
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
}
