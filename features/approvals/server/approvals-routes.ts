import type { Router } from '@headwater/server-kit'
import { getApproval } from '../contract/index.ts'
import type { ApprovalsService } from './approvals-service.ts'

/** Connects the routes of approvals to their service. */
export function registerApprovalsRoutes(router: Router, approvals: Pick<ApprovalsService, 'get'>): void {
  router.add(getApproval, ({ body }, { principal }) => approvals.get(principal, body))
}
