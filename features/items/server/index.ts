import { fileURLToPath } from 'node:url'
import type { AccessScope } from '@headwater/groups/server'
import type { Database } from '@headwater/server-kit'
import { findReferences, type ItemLink, type ItemReference } from './item-links.ts'
import type { ItemKind, ItemStore } from './items.ts'
import { createItemStore } from './items-store.ts'

export { itemAccess } from './item-access.ts'
export { symbolTarget } from './item-links.ts'
export type { ItemLink, ItemReference } from './item-links.ts'
export type { AccessibleItem, ItemAccess, ItemName } from './item-access.ts'
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
  /** Returns a page of the items whose newest versions name an object, and the number of those outside the scope. */
  references(
    object: ItemLink,
    page: { scope: AccessScope; size: number },
  ): Promise<{ items: ItemReference[]; total: number; hidden: number }>
}

/** Creates the items. */
export function createItems({ database }: { database: Database }): Items {
  return {
    storeOf: (kind) => createItemStore(database, kind),
    references: (object, page) => findReferences(database, object, page),
  }
}
