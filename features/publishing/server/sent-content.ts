import type { InsightContent, Tile } from '@headwater/tile-data/contract'
import { groupsIn, withGroups } from '@headwater/tile-data/core'
import { withoutFileIds } from '@headwater/insights/core'
import type { VisiblePrep } from './public-preps.ts'
import type { OpenView } from './public-view.ts'
import type { PublicTokens } from './public-tokens.ts'

const cache = new WeakMap<InsightContent, { signingKey: string; content: InsightContent }>()

/**
 * Returns the definition for visitors: without ids, and with tokens instead of group names. The result is cached,
 * except with saved data preps, which change independently.
 */
export function sentContent(
  tokens: PublicTokens,
  view: OpenView,
  saved: readonly VisiblePrep[],
): InsightContent {
  const { signingKey } = view.publication
  const known = cache.get(view.content)
  if (saved.length === 0 && known?.signingKey === signingKey) return known.content
  const content = withGroups(withoutIds(view.content, saved), (name) => tokens.groupToken(signingKey, name))
  if (saved.length === 0) cache.set(view.content, { signingKey, content })
  return content
}

/** Returns the names of the groups in a view by their tokens. */
export function namesByToken(tokens: PublicTokens, { publication, content }: OpenView): Map<string, string> {
  return new Map(
    [...groupsIn([content])].map((name) => [tokens.groupToken(publication.signingKey, name), name]),
  )
}

/** Returns the token of the version of an insight. */
export function versionOf(tokens: PublicTokens, { publication, stored }: OpenView): string {
  return tokens.fileToken(publication.signingKey, stored.fid)
}

/** Replaces ids of saved data preps with their groups and names. */
function withoutIds(content: InsightContent, saved: readonly VisiblePrep[]): InsightContent {
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
