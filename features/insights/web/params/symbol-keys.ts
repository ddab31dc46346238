import { queryOptions, useQuery } from '@tanstack/react-query'
import { listSymbolGroups, listSymbolKeys } from '@headwater/symbols/contract'
import { call } from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import { dataPrepOf, type ParamKey, seriesGroupsOf, symbolMapsIn } from '@headwater/tile-data/core'
import { useInsightData } from '@headwater/tile-data/web'

/**
 * Returns the group of the first series of the insight, otherwise the only group with symbols; empty if the author has
 * to choose.
 */
export function useFirstGroup(): string {
  const { first } = seriesGroupsOf(useInsightData().content)
  const query = { query: '', size: 2 }
  const groups = useQuery({
    queryKey: [listSymbolGroups.name, 'only', query],
    enabled: first === undefined,
    queryFn: ({ signal }) => call(listSymbolGroups, { query }, { signal }),
  })
  const [only, ...others] = groups.data?.items ?? []
  return first ?? (others.length === 0 ? (only?.groupName ?? '') : '')
}

/** Returns the symbol keys of a group and the names of their metadata. */
export function symbolKeysQuery(groupName: string) {
  const body = { groupName, metadata: true }
  return queryOptions({
    queryKey: [listSymbolKeys.name, body],
    queryFn: ({ signal }) => call(listSymbolKeys, { body }, { signal }),
  })
}

/** Returns the only unused key of symbols; undefined if there are several, or none. */
export function onlyKeyOf(
  offered: readonly { name: string; kind: string }[],
  taken: readonly ParamKey[],
): string | undefined {
  const free = offered.filter(
    ({ name, kind }) => kind !== 'metadata' && !taken.some(({ symbolKey }) => symbolKey === name),
  )
  return free.length === 1 ? free[0]!.name : undefined
}

/** Returns the values that the series of the tiles have for a key. */
function valuesOfTiles(key: string, content: InsightContent): string[] {
  const values = content.tiles.flatMap((tile) =>
    [...dataPrepOf(content, tile.id).symbols.map(({ symbols }) => symbols), ...symbolMapsIn(tile)].flatMap(
      (symbols) => (typeof symbols[key] === 'string' ? [symbols[key]] : []),
    ),
  )
  return [...new Set(values)]
}

/** Returns the value that all series of the tiles have for a key; empty if there are several, or none. */
export function valueOfTiles(key: string, content: InsightContent): string {
  const [value = '', ...others] = valuesOfTiles(key, content)
  return others.length > 0 || value.includes('*') ? '' : value
}

/**
 * Returns the symbol keys of a group that tiles use, with their values in the tiles. If there are none, returns the
 * only key of the group.
 */
export function keysOfTiles(
  content: InsightContent,
  offered: readonly { name: string; kind: string }[],
): { symbolKey: string; defaultValue: string }[] {
  const used = offered
    .filter(({ name, kind }) => kind !== 'metadata' && valuesOfTiles(name, content).length > 0)
    .map(({ name }) => name)
  const only = onlyKeyOf(offered, [])
  const names = used.length > 0 || only === undefined ? used : [only]
  return names.map((name) => ({ symbolKey: name, defaultValue: valueOfTiles(name, content) }))
}
