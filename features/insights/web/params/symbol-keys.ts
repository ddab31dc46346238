import { queryOptions, useQuery } from '@tanstack/react-query'
import { listSymbolGroups, listSymbolKeys } from '@headwater/symbols/contract'
import { call } from '@headwater/web-kit'
import { type ParamKey, seriesGroupsOf } from '@headwater/tiles/core'
import { useInsightData } from '@headwater/tiles/web'

/** The group of the first series of the insight, else the only group with symbols; empty when an author has to choose. */
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

/** The keys of the symbols of a group, and the names of their metadata. */
export function symbolKeysQuery(groupName: string) {
  const body = { groupName, metadata: true }
  return queryOptions({
    queryKey: [listSymbolKeys.name, body],
    queryFn: ({ signal }) => call(listSymbolKeys, { body }, { signal }),
  })
}

/** The only key of symbols that is not taken yet; undefined when there are more, or none. */
export function onlyKeyOf(
  offered: readonly { name: string; kind: string }[],
  taken: readonly ParamKey[],
): string | undefined {
  const free = offered.filter(
    ({ name, kind }) => kind !== 'metadata' && !taken.some(({ symbolKey }) => symbolKey === name),
  )
  return free.length === 1 ? free[0]!.name : undefined
}
