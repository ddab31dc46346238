import type { InsightContent, Tile } from '@headwater/tiles/contract'
import { groupsIn, withGroups } from '@headwater/tiles/core'
import { withoutFileIds } from '@headwater/insights/core'
import type { ShownPrep } from './public-preps.ts'
import type { OpenView } from './public-view.ts'
import type { PublicTokens } from './public-tokens.ts'

const sent = new WeakMap<InsightContent, { signingKey: string; content: InsightContent }>()

/**
 * Returns the definition that leaves the server: without ids, and with words in place of the names of groups. Without saved data
 * preps, which change independently, it is computed once.
 */
export function sentContent(
  tokens: PublicTokens,
  view: OpenView,
  saved: readonly ShownPrep[],
): InsightContent {
  const { signingKey } = view.publication
  const known = sent.get(view.content)
  if (saved.length === 0 && known?.signingKey === signingKey) return known.content
  const content = withGroups(withoutIds(view.content, saved), (name) => tokens.groupWord(signingKey, name))
  if (saved.length === 0) sent.set(view.content, { signingKey, content })
  return content
}

/** Returns the names of the groups in a view by the words that replace them. */
export function namesByWord(tokens: PublicTokens, { publication, content }: OpenView): Map<string, string> {
  return new Map(
    [...groupsIn([content])].map((name) => [tokens.groupWord(publication.signingKey, name), name]),
  )
}

/** Returns the word for the version of an insight that a view shows. */
export function versionOf(tokens: PublicTokens, { publication, stored }: OpenView): string {
  return tokens.fileWord(publication.signingKey, stored.fid)
}

/** Visitors know saved data preps by group and name, not by id. */
function withoutIds(content: InsightContent, saved: readonly ShownPrep[]): InsightContent {
  const named = new Map(saved.map(({ tile, details }) => [tile.id, details]))
  const fieldOf = (field: unknown, tile: Tile): unknown => {
    const { type, value } = (typeof field === 'object' && field !== null ? field : {}) as Record<
      string,
      unknown
    >
    if (typeof type === 'string' && type.toUpperCase() === 'FILE') return field
    if (typeof value !== 'object' || value === null || !('id' in value)) return field
    const { outputGroup: groupName = '', name = '' } = named.get(tile.id) ?? {}
    return { ...(field as object), value: { groupName, name } }
  }
  return {
    ...withoutFileIds(content),
    tiles: withoutFileIds(content.tiles).map((tile) => ({
      ...tile,
      ...(tile.source === undefined ? {} : { source: fieldOf(tile.source, tile) }),
      ...(tile.dataSource === undefined ? {} : { dataSource: fieldOf(tile.dataSource, tile) }),
    })),
    datapreps: Object.fromEntries(
      Object.entries(content.datapreps ?? {}).map(([id, data]) => {
        if (typeof data !== 'object' || data === null || !('id' in data)) return [id, data]
        const { id: _, ...rest } = data
        const details = named.get(id)
        return [id, details ? { ...rest, outputGroup: details.outputGroup, name: details.name } : rest]
      }),
    ),
  }
}
