import type { Router } from '@headwater/server-kit'
import { assignInsightRoles, listShared, shareInsight, unshareInsight } from '../contract/index.ts'
import type { SharingService } from './sharing-service.ts'

/** Connects the routes of shares to their services. */
export function registerSharingRoutes(router: Router, sharing: SharingService): void {
  router.add(shareInsight, ({ body }, { principal }) => sharing.share(principal, body))
  router.add(unshareInsight, ({ body }, { principal }) => sharing.unshare(principal, body))
  router.add(listShared, ({ query }, { principal }) =>
    sharing.list(principal, { groupName: query.groupName, insightName: query.name }),
  )
  router.add(assignInsightRoles, ({ body }, { principal }) => sharing.assignRoles(principal, body))
}
