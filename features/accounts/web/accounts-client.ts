import { queryOptions } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import {
  type Role,
  type User,
  getOwnStorage,
  getStorageLimits,
  getUser,
  listApiKeys,
  listRoles,
} from '../contract/index.ts'

/** Query of the API keys of the signed-in user. */
export const apiKeysQuery = queryOptions({
  queryKey: routeKey(listApiKeys),
  queryFn: ({ signal }) => call(listApiKeys, {}, { signal }),
})

/** Query of all roles, by name. */
export const rolesQuery = queryOptions({
  queryKey: routeKey(listRoles),
  queryFn: ({ signal }) => call(listRoles, { query: { size: 1000 } }, { signal }),
})

/** Returns the names of the roles of a user; empty while they load. */
export function roleNamesOf(user: Pick<User, 'roleIds'>, roles: readonly Role[] | undefined): string {
  if (roles === undefined) return ''
  const held = roles.filter(({ id }) => user.roleIds.includes(id))
  return held.map(({ name }) => name).join(', ') || 'None'
}

/** Query of one user with sessions, API keys and stored bytes. */
export function userQuery(userName: string) {
  const input = { params: { userName } }
  return queryOptions({
    queryKey: routeKey(getUser, input),
    queryFn: ({ signal }) => call(getUser, input, { signal }),
  })
}

/** Query of the storage used by the signed-in user, and the limit. */
export const ownStorageQuery = queryOptions({
  queryKey: routeKey(getOwnStorage),
  queryFn: ({ signal }) => call(getOwnStorage, {}, { signal }),
})

/** Query of the limits of stored files and the used storage. */
export const storageLimitsQuery = queryOptions({
  queryKey: routeKey(getStorageLimits),
  queryFn: ({ signal }) => call(getStorageLimits, {}, { signal }),
})
