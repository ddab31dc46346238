import { useQuery } from '@tanstack/react-query'
import { listSymbolKeys } from '@headwater/symbols/contract'
import { call, routeKey } from '@headwater/web-kit'

/** Queries the names of the symbol keys of a group. */
export function useKeyNames(groupName: string) {
  const input = { body: { groupName } }
  return useQuery({
    queryKey: routeKey(listSymbolKeys, input),
    queryFn: ({ signal }) => call(listSymbolKeys, input, { signal }),
    select: (page) => page.items.filter(({ kind }) => kind === 'symbol').map(({ name }) => name),
  })
}
