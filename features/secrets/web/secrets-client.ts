import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCan } from '@headwater/accounts/web'
import { call, routeKey } from '@headwater/web-kit'
import { listSecrets, putSecret, type Secret } from '../contract/index.ts'

/** Page size of lists, which is the maximum number of secrets per user or group. */
const maxListed = 200

/** Returns the secrets of a group by name; without `groupName`, the user's personal secrets. */
export function useSecrets(groupName: string | undefined, { enabled = true } = {}) {
  const input = { query: { size: maxListed, ...(groupName === undefined ? {} : { groupName }) } }
  return useQuery({
    queryKey: routeKey(listSecrets, input),
    queryFn: ({ signal }) => call(listSecrets, input, { signal }),
    enabled,
  })
}

/** Returns the names of the secrets of a group and of the user; empty until they are loaded. */
export function useSecretNames(groupName: string | undefined): { ofGroup: string[]; own: string[] } {
  const ofGroup = useSecrets(groupName, { enabled: groupName !== undefined })
  const own = useSecrets(undefined)
  const namesOf = ({ data }: typeof own) => data?.items.map(({ name }) => name) ?? []
  return { ofGroup: groupName === undefined ? [] : namesOf(ofGroup), own: namesOf(own) }
}

/** Returns whether the user's role allows storing and deleting secrets. Groups also require write access. */
export function useCanWriteSecrets(): boolean {
  return useCan()('Creator', 'RW', 'Science')
}

/** Returns a function that reloads all lists of secrets after a change. */
export function useRefreshSecrets(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: routeKey(listSecrets) })
}

/**
 * Stores a secret.
 * @param isNew whether an existing secret with the name is an error; otherwise its value is replaced
 */
export function storeSecret(
  { name, value, groupName }: { name: string; value: string; groupName: string | undefined },
  isNew: boolean,
): Promise<Secret> {
  return call(putSecret, {
    params: { name },
    body: { value, isNew, ...(groupName === undefined ? {} : { groupName }) },
  })
}
