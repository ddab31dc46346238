import type { Router } from '@headwater/server-kit'
import {
  checkGroupShareable,
  listGroupUsers,
  searchShareEmails,
  shareGroups,
  unshareGroup,
} from '../contract/index.ts'
import type { SharesService } from './shares-service.ts'

/** Registers the routes of shares. */
export function registerSharesRoutes(router: Router, service: SharesService): void {
  router.add(shareGroups, async ({ body }, { principal }) => {
    await service.share(principal, body.sharesList)
    return {}
  })
  router.add(unshareGroup, async ({ body }, { principal }) => {
    await service.unshare(principal, body)
    return {}
  })
  router.add(listGroupUsers, ({ params }, { principal }) => service.listUsers(principal, params.name))
  router.add(searchShareEmails, ({ params, query }, { principal }) =>
    service.searchEmails(principal, params.name, query.query),
  )
  router.add(checkGroupShareable, ({ params }, { principal }) => service.check(principal, params.name))
}
