import { queryOptions } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import { listApiKeys, listRoles } from '../contract/index.ts'

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
