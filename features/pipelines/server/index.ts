import { fileURLToPath } from 'node:url'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Database, Executor, Log, Principal, Router } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { Tasks } from '@headwater/tasks/server'
import { cronTrigger } from './cron-trigger.ts'
import { registerPipelinesRoutes } from './pipelines-routes.ts'
import { createPipelinesService, type PipelinesService } from './pipelines-service.ts'
import { createPipelinesStore, type PipelineFilter, type PipelinesStore } from './pipelines-store.ts'
import { createRunPlans } from './run-plans.ts'
import { createRunsService } from './runs-service.ts'
import { createRunsStore } from './runs-store.ts'
import { createSchedulesService } from './schedules-service.ts'
import { createSchedulesStore } from './schedules-store.ts'

export type { BuiltInPipeline } from './pipelines-service.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What the pipelines room is made of. */
export interface PipelinesDependencies {
  database: Database
  clock: Clock
  log: Log
  groups: GroupAccess
  tasks: Tasks
  statuses: Statuses
  queue: JobQueue
  /** The principal of an active user; runs ask with their rights. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** What other rooms may ask of pipelines. */
export interface Pipelines extends Pick<PipelinesService, 'addBuiltIn'> {
  /** Renames or moves a pipeline that follows something else. */
  follow: PipelinesStore['follow']
  /** Takes that back. */
  unfollow: PipelinesStore['unfollow']
  /** How many pipelines with a tag and a name of a pattern lie in a group. */
  countIn(groupId: number, filter: Pick<PipelineFilter, 'tag' | 'namePattern'>): Promise<number>
  /** Takes up the schedules. Called once, before requests are accepted. */
  resume(): Promise<void>
  /** Ends the runs of the pipelines of a group, in the transaction that deletes it. */
  onGroupDeleted(groupId: number, executor: Executor): Promise<void>
  registerRoutes(router: Router): void
}

/** Makes the pipelines room. The handlers of its runs are named to the queue, which is started by the caller. */
export function createPipelines(dependencies: PipelinesDependencies): Pipelines {
  const { database, clock, log, groups, tasks, ...rest } = dependencies
  tasks.addKind(cronTrigger)
  const store = createPipelinesStore(database)
  const plans = createRunPlans({ tasks })
  const runs = createRunsService({ ...rest, runs: createRunsStore(database), plans, tasks, clock })
  const schedules = createSchedulesService({
    ...rest,
    schedules: createSchedulesStore(database),
    store,
    runs,
    plans,
    groups,
    clock,
    warn: (message, error) => log.warn({ error }, message),
  })
  const pipelines = createPipelinesService({
    store,
    groups,
    plans,
    schedules,
    stopRuns: (which, executor) => runs.stopRuns(which, executor),
    clock,
  })
  return {
    addBuiltIn: pipelines.addBuiltIn,
    follow: (from, to, change, executor) => store.follow(from, to, change, executor),
    unfollow: (followed, executor) => store.unfollow(followed, executor),
    async countIn(groupId, filter) {
      const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 1 } as const
      return (await store.search({ groupIds: [groupId], latest: true, ...filter }, page)).total
    },
    resume: () => schedules.resume(),
    onGroupDeleted: (groupId, executor) => runs.stopRuns({ groupId }, executor),
    registerRoutes: (router) => registerPipelinesRoutes(router, { pipelines, runs }),
  }
}
