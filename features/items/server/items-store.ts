import type { Database } from '@headwater/server-kit'
import type { ItemKind, ItemStore } from './items.ts'
import { createItemReads } from './read-items.ts'
import { createItemRecords } from './record-items.ts'
import { createItemWrites } from './write-items.ts'

/** Creates the store of one kind. */
export function createItemStore<Content, Summary = object, Extra = unknown>(
  database: Database,
  kind: ItemKind<Content, Summary, Extra>,
): ItemStore<Content, Summary, Extra> {
  const reads = createItemReads(database, kind)
  return { ...reads, ...createItemWrites(database, kind, reads), ...createItemRecords(kind) }
}
