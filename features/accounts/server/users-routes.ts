import { createUser, listRoles, listUsers } from '@headwater/accounts/contract'
import type { Router } from '@headwater/server-kit'
import type { LinkOrigin } from './link-origin.ts'
import type { UsersService } from './users-service.ts'

/** Routes by which users and roles are administered. */
export function registerUsersRoutes(
  router: Router,
  { users, linkOrigin }: { users: UsersService; linkOrigin: LinkOrigin },
): void {
  router.add(listUsers, ({ query }, { principal }) => users.list(principal, query))

  router.add(createUser, ({ body }, { principal, request }) => {
    const origin = linkOrigin.of(request, { trusted: true })
    return users.create(principal, { ...body, origin })
  })

  router.add(listRoles, ({ query }) => users.listRoles(query))
}
