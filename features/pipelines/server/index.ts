import { fileURLToPath } from 'node:url'
import type { Accounts } from '@headwater/accounts/server'
import type { Approvals } from '@headwater/approvals/server'
import type { Files, FileVersion } from '@headwater/files/server'
import type { AccessScope, GroupAccess, Groups } from '@headwater/groups/server'
import type { ItemFilter, Items } from '@headwater/items/server'
import type { JobQueue } from '@headwater/jobs'
import type { Runs } from '@headwater/runs/server'
import type { Schedules } from '@headwater/schedules/server'
import type { Clock, Config, Database, Executor, Log, Mailer, Router } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { Tasks } from '@headwater/tasks/server'
import { createPipelineTasks } from './child-runs/pipeline-tasks.ts'
import { cronTrigger } from './cron-trigger.ts'
import { registerPipelinesRoutes } from './pipelines-routes.ts'
import { createPipelinesService, type PipelinesService } from './pipelines-service.ts'
import { createPipelineValues } from './pipeline-values.ts'
import {
  createPipelinesStore,
  pipelineConditions,
  pipelineKind,
  type StoredPipeline,
} from './pipelines-store.ts'
import { createRunPlans } from './run-plans.ts'
import { createRunsService, type RunsService } from './runs-service.ts'
import { registerScheduleListRoutes } from './schedule-list/schedule-list-routes.ts'
import { createScheduleListStore } from './schedule-list/schedule-list-store.ts'
import { createSchedulesService } from './schedules-service.ts'
import { createSharingService, type SharingDependencies } from './sharing/share-pipeline.ts'
import { createTransferService } from './transfer-pipelines.ts'
import { onFileArrived } from './triggers/file-arrival.ts'
import { createMailListeners, type MailListeners } from './triggers/email/mail-listeners.ts'
import { createFiringsStore, type FiringsStore } from './triggers/firings-store.ts'
import { createTriggersService } from './triggers/triggers-service.ts'
import { createTriggersStore, triggerScheduleKind, type TriggersStore } from './triggers/triggers-store.ts'

export type { BuiltInPipeline } from './pipeline-view.ts'
export type { StoredPipeline } from './pipelines-store.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface PipelinesDependencies {
  /** Stores values of pipelines. */
  database: Database
  /** Clock for the dates of saved versions. */
  clock: Clock
  /** Checks access to groups. */
  groups: GroupAccess
  /** Stores the grants of shares. */
  grants: Groups['grants']
  /** Returns the groups of a file or data prep that the caller can read, including the groups of its contents. */
  groupsOfObject: SharingDependencies['groupsOfObject']
  /** Stores pipelines and their versions. */
  items: Items
  /** Stores the edited files of paused runs, and reads files with items. */
  files: Pick<Files, 'create' | 'putContent' | 'getReadable' | 'readContent'>
  /** Executes runs. */
  runs: Runs
  /** Decides on tasks that require approvers. */
  approvals: Approvals
  /** Finds tasks and their kinds. */
  tasks: Tasks
  /** Creates jobs for runs that did not start. */
  statuses: Pick<Statuses, 'startJob'>
  /** Starts due runs. */
  schedules: Pick<Schedules, 'register' | 'check' | 'set' | 'remove' | 'skipMissed'>
  /** Queue with the jobs that start due runs. */
  queue: JobQueue
  /** Finds users, because runs have their access, and favourite pipelines; states whether sharing is enabled. */
  accounts: Pick<Accounts, 'findPrincipal' | 'favoriteIds' | 'findUserByName' | 'product'>
  /** Secret of the installation, from which webhook keys and e-mail addresses are derived. */
  signingSecret: string
  /**
   * Settings of e-mails that start pipelines; the sender of the server's own e-mails, which never start pipelines; the server
   * URL for links in e-mails.
   */
  config: Pick<Config, 'mailIn' | 'mailFrom' | 'publicUrl'>
  /** Sends the e-mails about shares. */
  mailer: Mailer
  /** Log for received e-mails. */
  log: Log
}

/** Interface for other features. */
export interface Pipelines extends Pick<
  PipelinesService,
  'addBuiltIn' | 'findByInput' | 'remove' | 'require' | 'search'
> {
  /**
   * Returns a version of a pipeline without checking access.
   * @param version number of the version; default: the newest one
   */
  find(id: string, version?: number): Promise<StoredPipeline | undefined>
  /** Starts a run of a pipeline and returns its job id. */
  startRun: RunsService['start']
  /** Returns the number of pipelines within a scope, optionally only pipelines with a tag or a matching name. */
  countIn(scope: AccessScope, filter: { tag?: string } & Pick<ItemFilter, 'namePattern'>): Promise<number>
  /** Starts the runs that a new version of a file triggers, in the transaction in which it arrives. */
  onFileArrived(this: void, file: FileVersion, executor: Executor): Promise<void>
  /** Stops the runs of the pipelines of a group. Runs in the transaction that deletes the group. */
  onGroupDeleted(groupId: number, executor: Executor): Promise<void>
  /**
   * Skips the schedules and events that would have started pipelines of a group while it was in the trash. Runs in the
   * transaction that restores the group.
   */
  onGroupRestored(groupId: number, executor: Executor): Promise<void>
  /** The listeners for e-mails: the configured mailbox and SMTP server. */
  mail: Pick<MailListeners, 'start' | 'port' | 'stop'>
  /** Adds the routes of pipelines and runs to a router. */
  registerRoutes(router: Router): void
}

/** Creates the feature and registers its job handlers. The caller starts the queue. */
export function createPipelines(dependencies: PipelinesDependencies): Pipelines {
  const {
    database,
    clock,
    groups,
    items,
    tasks,
    files,
    runs: execution,
    approvals,
    config,
    accounts,
    ...given
  } = dependencies
  const { mailIn, mailFrom, publicUrl } = config
  const findPrincipal = (userId: number) => accounts.findPrincipal(userId)
  const rest = { ...given, mailIn, mailFrom, publicUrl, findPrincipal }
  tasks.addKind(cronTrigger)
  const store = createPipelinesStore(items)
  const plans = createRunPlans({ tasks })
  for (const kind of createPipelineTasks({ runs: execution, store, groups, plans, files, clock }))
    tasks.addKind(kind)
  const values = createPipelineValues({ database, clock })
  const runs = createRunsService({
    runs: execution,
    store,
    values,
    groups,
    plans,
    tasks,
    files,
    approvals,
    clock,
  })
  const pipelineSchedules = createSchedulesService({ ...rest, store, runs, plans, groups })
  const storedTriggers = { ...createTriggersStore(database), ...createFiringsStore(database) }
  const triggers = createTriggersService({
    ...rest,
    triggers: storedTriggers,
    store,
    runs,
    plans,
    groups,
    files,
    clock,
  })
  const mail = createMail({ ...rest, clock, triggers: storedTriggers })
  const serviceDependencies = {
    store,
    groups,
    plans,
    schedules: pipelineSchedules,
    tasks,
    favouriteIds: (userId: number) => accounts.favoriteIds(userId, 'favoritePipelines'),
    latestJobs: (ids: readonly string[]) => execution.latestOfPipelines(ids),
    stopRuns: (which: { pipelineIds: readonly string[] }, executor: Executor) =>
      runs.stopRuns(which, executor),
    clock,
  }
  const pipelines = createPipelinesService(serviceDependencies)
  const transfer = createTransferService({ ...serviceDependencies, triggers })
  const sharing = createSharingService({
    ...rest,
    store,
    plans,
    groups,
    findUser: (email) => accounts.findUserByName(email),
    sharingEnabled: accounts.product.sharing_enabled === 'true',
    listTriggers: (principal, id) => triggers.list(principal, id),
  })
  return {
    addBuiltIn: pipelines.addBuiltIn,
    findByInput: (principal, criteria) => pipelines.findByInput(principal, criteria),
    remove: (principal, id) => pipelines.remove(principal, id),
    require: pipelines.require,
    find: (id, version) => store.find({ id }, version),
    startRun: runs.start,
    search: (principal, search) => pipelines.search(principal, search),
    async countIn(scope, { tag, namePattern }) {
      const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 1 } as const
      const where = pipelineConditions({ tag })
      return (await store.search({ scope, latest: true, namePattern, where }, page)).total
    },
    onFileArrived: (file, executor) =>
      onFileArrived({ triggers: storedTriggers, queue: rest.queue }, file, executor),
    onGroupDeleted: async (groupId, executor) =>
      runs.stopRuns({ pipelineIds: await store.listIds(groupId, executor) }, executor),
    async onGroupRestored(groupId, executor) {
      const ids = await store.listIds(groupId, executor)
      await rest.schedules.skipMissed(pipelineKind, ids, executor)
      await rest.schedules.skipMissed(
        triggerScheduleKind,
        await storedTriggers.dropWaiting(ids, executor),
        executor,
      )
    },
    mail,
    registerRoutes: (router) => {
      registerPipelinesRoutes(router, { pipelines, runs, triggers, approvals, transfer, sharing })
      registerScheduleListRoutes(router, { schedules: createScheduleListStore(database), groups })
    },
  }
}

function createMail({
  triggers,
  queue,
  clock,
  log,
  mailIn,
  mailFrom,
}: Pick<PipelinesDependencies, 'queue' | 'clock' | 'log'> &
  Pick<Config, 'mailIn' | 'mailFrom'> & {
    triggers: TriggersStore & FiringsStore
  }): Pipelines['mail'] {
  if (mailIn === undefined) return { start: async () => {}, port: () => undefined, stop: async () => {} }
  return createMailListeners({
    triggers,
    queue,
    clock,
    settings: mailIn,
    ownAddress: mailFrom,
    warn: (message, error) => log.warn({ error }, message),
    info: (message) => log.info({}, message),
  })
}
