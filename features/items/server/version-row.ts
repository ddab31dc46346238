import { tablesOn, type Executor } from '@headwater/server-kit'
import { writeLinks } from './item-links.ts'
import type { ItemKind, ItemSave, ItemTables } from './items.ts'

/** Inserts a version with its links, in the transaction of `executor`. */
export async function insertVersion<Content, Summary, Extra>(
  executor: Executor,
  itemKind: ItemKind<Content, Summary, Extra>,
  { id, version, item }: { id: string; version: number; item: Omit<ItemSave<Content>, 'groupId' | 'name'> },
): Promise<void> {
  const { kind, linksOf = () => [], readLinks } = itemKind
  const { content, savedBy, savedAt } = item
  await tablesOn<ItemTables>(executor)
    .insertInto('item_versions')
    .values({
      item_id: id,
      version,
      kind,
      ...versionTexts(itemKind, content),
      saved_by: savedBy,
      saved_at: savedAt,
      links_pending: readLinks !== undefined,
    })
    .execute()
  await writeLinks(executor, { id, version, links: linksOf(content) })
}

/** Returns content and summary of a version, as the table stores them. */
export function versionTexts<Content, Summary, Extra>(
  { summaryOf }: Pick<ItemKind<Content, Summary, Extra>, 'summaryOf'>,
  content: Content,
): { content: string; summary: string } {
  return { content: jsonText(content), summary: jsonText(summaryOf(content)) }
}

/** Returns JSON that PostgreSQL accepts: unpaired surrogates become U+FFFD, as in text columns. */
function jsonText(value: unknown): string {
  // JSON.stringify escapes only unpaired surrogates this way. An escaped backslash before `ud800` is ordinary text.
  return JSON.stringify(value).replace(/((?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd')
}
