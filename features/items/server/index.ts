import { fileURLToPath } from 'node:url'
import type { JobQueue } from '@headwater/jobs'
import type { Database } from '@headwater/server-kit'
import {
  findReferences,
  findSymbolTargets,
  type ItemLink,
  type ItemReference,
  type ReferenceFilter,
} from './item-links.ts'
import type { ItemKind, ItemLocation, ItemStore } from './items.ts'
import { createItemStore } from './items-store.ts'
import { createPendingLinks, type PendingLinks } from './pending-links.ts'

export { itemAccess } from './item-access.ts'
export { symbolTarget } from './item-links.ts'
export { nameConditions } from './read-items.ts'
export type { ItemLink, ItemReference } from './item-links.ts'
export type { AccessibleItem, ItemName } from './item-access.ts'
export type {
  CreateOutcome,
  ItemAddress,
  ItemFilter,
  ItemKind,
  ItemPage,
  ItemLocation,
  ItemSave,
  ItemStore,
  SaveOutcome,
  StoredItem,
} from './items.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The items feature. */
export interface Items {
  /** Creates the store of a kind. The feature that owns the kind calls it once. */
  storeOf<Content, Summary, Extra = unknown>(
    kind: ItemKind<Content, Summary, Extra>,
  ): ItemStore<Content, Summary, Extra>
  /** See {@link findReferences}. */
  references(
    objects: readonly ItemLink[],
    filter: ReferenceFilter,
  ): Promise<{ items: ItemReference[]; total: number; hidden: number }>
  /** See {@link findSymbolTargets}. */
  symbolTargets(groupName: string): Promise<Record<string, string>[]>
  /** Returns the id of an item by its kind, group and exact name, without checking access. */
  find(kind: string, at: ItemLocation): Promise<string | undefined>
  /** Writes the links that saves have not written. */
  pendingLinks: Pick<PendingLinks, 'enqueue' | 'resume' | 'writeAll'>
}

/**
 * Creates the items.
 * @param dependencies.jobs queue of the job that writes pending links; default none, for programs without such kinds
 */
export function createItems({ database, jobs }: { database: Database; jobs?: JobQueue }): Items {
  const pendingLinks = createPendingLinks({ database, jobs })
  return {
    storeOf(kind) {
      pendingLinks.addKind(kind)
      return createItemStore(database, kind)
    },
    references: (objects, filter) => findReferences(database, objects, filter),
    symbolTargets: (groupName) => findSymbolTargets(database, groupName),
    async find(kind, { groupId, name }) {
      const { rows } = await database.pool.query<{ id: string }>(
        'select id from items where kind = $1 and group_id = $2 and name = $3',
        [kind, groupId, name],
      )
      return rows[0]?.id
    },
    pendingLinks,
  }
}
