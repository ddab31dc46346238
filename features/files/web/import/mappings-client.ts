import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import { deleteMapping, listMappings, saveMapping, type StoredMapping } from '../../contract/index.ts'

/** Returns the CSV mappings of a group; none without a group. */
export function useMappings(groupName: string | null) {
  const input = { query: { groupName: groupName ?? '' } }
  return useQuery({
    queryKey: routeKey(listMappings, input),
    queryFn: async ({ signal }) => (await call(listMappings, input, { signal })).items,
    enabled: groupName !== null && groupName !== '',
  })
}

/** Stores and deletes CSV mappings of a group. */
export function useMappingChanges(groupName: string) {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: routeKey(listMappings) })
  return {
    save: useMutation({
      mutationFn: (body: Pick<StoredMapping, 'name' | 'mapping'>) =>
        call(saveMapping, { body: { groupName, ...body } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (name: string) => call(deleteMapping, { query: { groupName, name } }),
      onSuccess,
    }),
  }
}
