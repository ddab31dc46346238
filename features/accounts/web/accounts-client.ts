import { queryOptions } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import { getOwnStorage, getStorageLimits, getUser, listApiKeys, listRoles } from '../contract/index.ts'

/** The API keys of the signed-in user. */
export const apiKeysQuery = queryOptions({
  queryKey: routeKey(listApiKeys),
  queryFn: ({ signal }) => call(listApiKeys, {}, { signal }),
})

/** All roles, by name. */
export const rolesQuery = queryOptions({
  queryKey: routeKey(listRoles),
  queryFn: ({ signal }) => call(listRoles, { query: { size: 1000 } }, { signal }),
})

/** One user with sessions, API keys and what they stored. */
export function userQuery(userName: string) {
  const input = { params: { userName } }
  return queryOptions({
    queryKey: routeKey(getUser, input),
    queryFn: ({ signal }) => call(getUser, input, { signal }),
  })
}

/** What the signed-in user has stored, and the limit. */
export const ownStorageQuery = queryOptions({
  queryKey: routeKey(getOwnStorage),
  queryFn: ({ signal }) => call(getOwnStorage, {}, { signal }),
})

/** The limits of stored files and how much is used. */
export const storageLimitsQuery = queryOptions({
  queryKey: routeKey(getStorageLimits),
  queryFn: ({ signal }) => call(getStorageLimits, {}, { signal }),
})
