import { fileURLToPath } from 'node:url'
import type { Accounts } from '@headwater/accounts/server'
import type { JobQueue } from '@headwater/jobs'
import type { Runs } from '@headwater/runs/server'
import type { Clock, Config, Database, Mailer, Router } from '@headwater/server-kit'
import type { Tasks } from '@headwater/tasks/server'
import { createApprovalTask } from './approval-task.ts'
import { registerApprovalsRoutes } from './approvals-routes.ts'
import { createApprovalsService, type ApprovalsService } from './approvals-service.ts'
import { createApprovalsStore } from './approvals-store.ts'
import { findUnableApprovers } from './unable-approvers.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface ApprovalsFeatureDependencies {
  /** Stores requests and decisions. */
  database: Database
  /** Clock that dates decisions. */
  clock: Clock
  /** Registers the task kind that waits for approvers. */
  tasks: Pick<Tasks, 'addKind'>
  /** Continues runs after decisions. */
  runs: Runs
  /** Queue of the jobs that send links to approvers and decide at deadlines. */
  queue: JobQueue
  /** Finds approvers. */
  accounts: Pick<Accounts, 'findUserByName' | 'findPrincipal'>
  /** Sends links to approvers. */
  mailer: Mailer
  /** The server URL for links in e-mails. */
  config: Pick<Config, 'publicUrl'>
}

/** Interface for other features. */
export interface Approvals extends Pick<
  ApprovalsService,
  | 'isApproval'
  | 'canDecide'
  | 'decideAs'
  | 'decideAsApprover'
  | 'decideByToken'
  | 'isApproverOfOther'
  | 'neededFor'
  | 'openApprovers'
> {
  /** Adds the routes of approvals to a router. */
  registerRoutes(router: Router): void
}

/** Creates the feature and registers its task kind and its job handlers. The caller starts the queue. */
export function createApprovals({
  database,
  tasks,
  accounts,
  config,
  ...dependencies
}: ApprovalsFeatureDependencies): Approvals {
  const store = createApprovalsStore(database)
  const findUnable = (addresses: readonly string[]) => findUnableApprovers(accounts, addresses)
  tasks.addKind(createApprovalTask({ store, findUnable }))
  const approvals = createApprovalsService({
    ...dependencies,
    store,
    findUnable,
    publicUrl: config.publicUrl,
  })
  return {
    isApproval: approvals.isApproval,
    canDecide: (...step) => approvals.canDecide(...step),
    decideAs: (...decision) => approvals.decideAs(...decision),
    decideAsApprover: (...decision) => approvals.decideAsApprover(...decision),
    decideByToken: (...decision) => approvals.decideByToken(...decision),
    isApproverOfOther: (...link) => approvals.isApproverOfOther(...link),
    openApprovers: (...steps) => approvals.openApprovers(...steps),
    neededFor: (...step) => approvals.neededFor(...step),
    registerRoutes: (router) => registerApprovalsRoutes(router, approvals),
  }
}
