import type { ItemKind, ItemSave } from './items.ts'

/** Returns the row of a version. */
export function versionRow<Content, Summary, Extra>(
  { kind, summaryOf }: Pick<ItemKind<Content, Summary, Extra>, 'kind' | 'summaryOf'>,
  id: string,
  version: number,
  { content, savedBy, savedAt }: ItemSave<Content>,
) {
  return {
    item_id: id,
    version,
    kind,
    ...versionTexts({ summaryOf }, content),
    saved_by: savedBy,
    saved_at: savedAt,
  }
}

/** Returns content and summary of a version, as the table stores them. */
export function versionTexts<Content, Summary, Extra>(
  { summaryOf }: Pick<ItemKind<Content, Summary, Extra>, 'summaryOf'>,
  content: Content,
): { content: string; summary: string } {
  return { content: jsonText(content), summary: jsonText(summaryOf(content)) }
}

/** Returns JSON that PostgreSQL accepts: half of a surrogate pair becomes U+FFFD, as in text columns. */
function jsonText(value: unknown): string {
  // JSON.stringify escapes nothing else this way; an escaped backslash before `ud800` is text.
  return JSON.stringify(value).replace(/((?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd')
}
