import {
  createUser,
  deleteUserApiKey,
  deleteUserApiKeys,
  endUserSessions,
  getUser,
  listRoles,
  listUsers,
  updateUser,
} from '@headwater/accounts/contract'
import type { Router } from '@headwater/server-kit'
import type { LinkOrigin } from './link-origin.ts'
import type { UsersService } from './users-service.ts'

/** Registers the routes for administering users and roles. */
export function registerUsersRoutes(
  router: Router,
  { users, linkOrigin }: { users: UsersService; linkOrigin: LinkOrigin },
): void {
  router.add(listUsers, ({ query }, { principal }) => users.list(principal, query))

  router.add(createUser, ({ body }, { principal, request }) => {
    const origin = linkOrigin.of(request, { trusted: true })
    return users.create(principal, { ...body, origin })
  })

  router.add(getUser, ({ params }, { principal }) => users.get(principal, params.userName))

  router.add(updateUser, ({ params, body }, { principal }) => users.update(principal, params.userName, body))

  router.add(endUserSessions, async ({ params }, { principal }) => ({
    ended: await users.endSessions(principal, params.userName),
  }))

  router.add(deleteUserApiKeys, async ({ params }, { principal }) => ({
    deleted: await users.deleteApiKeys(principal, params.userName),
  }))

  router.add(deleteUserApiKey, async ({ params }, { principal }) => {
    await users.deleteApiKey(principal, params.userName, params.id)
    return {}
  })

  router.add(listRoles, ({ query }) => users.listRoles(query))
}
