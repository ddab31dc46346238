import { fileURLToPath } from 'node:url'
import type { AccessScope, GroupAccess } from '@headwater/groups/server'
import type { ItemFilter, Items } from '@headwater/items/server'
import type { JobQueue } from '@headwater/jobs'
import type { Schedules } from '@headwater/schedules/server'
import type { Clock, Database, Executor, Principal, Router } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { Tasks } from '@headwater/tasks/server'
import { cronTrigger } from './cron-trigger.ts'
import { registerPipelinesRoutes } from './pipelines-routes.ts'
import { createPipelinesService, type PipelinesService } from './pipelines-service.ts'
import { createPipelinesStore, pipelineConditions } from './pipelines-store.ts'
import { createRunPlans } from './run-plans.ts'
import { createRunsService } from './runs-service.ts'
import { createRunsStore } from './runs-store.ts'
import { createSchedulesService } from './schedules-service.ts'

export type { BuiltInPipeline } from './pipelines-service.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What the pipelines room is made of. */
export interface PipelinesDependencies {
  database: Database
  clock: Clock
  groups: GroupAccess
  items: Items
  tasks: Tasks
  statuses: Statuses
  schedules: Pick<Schedules, 'register' | 'check' | 'set' | 'remove'>
  queue: JobQueue
  /** The principal of an active user; runs ask with their rights. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** What other rooms may ask of pipelines. */
export interface Pipelines extends Pick<PipelinesService, 'addBuiltIn' | 'findByInput'> {
  /** How many pipelines with a tag and a name of a pattern lie in a group. */
  countIn(scope: AccessScope, filter: { tag?: string } & Pick<ItemFilter, 'namePattern'>): Promise<number>
  /** Ends the runs of the pipelines of a group, in the transaction that deletes it. */
  onGroupDeleted(groupId: number, executor: Executor): Promise<void>
  registerRoutes(router: Router): void
}

/** Makes the pipelines room. The handlers of its runs are named to the queue, which is started by the caller. */
export function createPipelines(dependencies: PipelinesDependencies): Pipelines {
  const { database, clock, groups, items, tasks, ...rest } = dependencies
  tasks.addKind(cronTrigger)
  const store = createPipelinesStore(items)
  const plans = createRunPlans({ tasks })
  const runs = createRunsService({ ...rest, runs: createRunsStore(database), plans, tasks, clock })
  const pipelineSchedules = createSchedulesService({ ...rest, store, runs, plans, groups })
  const pipelines = createPipelinesService({
    store,
    groups,
    plans,
    schedules: pipelineSchedules,
    stopRuns: (which, executor) => runs.stopRuns(which, executor),
    clock,
  })
  return {
    addBuiltIn: pipelines.addBuiltIn,
    findByInput: (principal, wanted) => pipelines.findByInput(principal, wanted),
    async countIn(scope, { tag, namePattern }) {
      const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 1 } as const
      const where = pipelineConditions({ tag })
      return (await store.search({ scope, latest: true, namePattern, where }, page)).total
    },
    onGroupDeleted: async (groupId, executor) =>
      runs.stopRuns({ pipelineIds: await store.listIds(groupId, executor) }, executor),
    registerRoutes: (router) => registerPipelinesRoutes(router, { pipelines, runs }),
  }
}
