import { fileURLToPath } from 'node:url'
import type { HostPattern } from '@headwater/contract'
import type { AccessScope, GroupAccess } from '@headwater/groups/server'
import type { Logs } from '@headwater/logs/server'
import type { Items } from '@headwater/items/server'
import type { SandboxAvailability } from '@headwater/sandbox'
import type { Secrets } from '@headwater/secrets/server'
import type {
  Authenticate,
  Clock,
  Database,
  Egress,
  ForwardProxy,
  Mailer,
  PackageSettings,
  Router,
  RunAttempt,
} from '@headwater/server-kit'
import { createEmailSender } from './email-sender.ts'
import { createLibrary, type SeriesQueries, type SourceFiles } from './library/index.ts'
import { createPackages } from './packages/index.ts'
import { createPythonRunner, type RunServer } from './python-runner.ts'
import { createRunTokens, type RunTokensDependencies } from './run-tokens.ts'
import { createTaskHostsStore } from './task-hosts-store.ts'
import { createTaskHostsService } from './task-hosts.ts'
import { createTaskKinds, type TaskKinds } from './task-kinds.ts'
import { createSecretsInUse, withSecrets } from './task-secrets.ts'
import type { TestTaskDependencies } from './test-runs/test-task.ts'
import { createTestRuns } from './test-runs/test-runs.ts'
import { registerTasksRoutes } from './tasks-routes.ts'
import { createTasksService, type TasksService } from './tasks-service.ts'
import { createTasksStore } from './tasks-store.ts'

export type { TaskKind } from './task-kinds.ts'
export type { RunnableTask, TaskName } from './find-runnable-task.ts'
export { knownInputs } from './known-inputs.ts'
export {
  failed,
  input,
  libraryKind,
  openFile,
  output,
  storeContent,
  storedOutcome,
  when,
} from './library/kind-parts.ts'
export type { LibraryFiles } from './library/kind-parts.ts'
export { problemOfParams, visibleInputs } from './param-problems.ts'
export type { RunServer } from './python-runner.ts'
export { linksOfParam } from './task-links.ts'
export { createRunTokens, type RunGrant, type RunTokens } from './run-tokens.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface TasksDependencies {
  /** Stores the hosts that are allowed for tasks. */
  database: Database
  /** Clock for the dates of saved versions. */
  clock: Clock
  /** Checks access to groups. */
  groups: GroupAccess
  /** Stores tasks and their versions. */
  items: Items
  /** Reads and stores the files of tasks. */
  files: SourceFiles
  /** Reads series. */
  symbols: SeriesQueries
  /** Opens the connections of tasks. */
  egress: Pick<Egress, 'connect' | 'pin' | 'request'>
  /** Stores the output of scripts. */
  logs: Pick<Logs, 'open'>
  /** Sends the e-mails of tasks. */
  mailer: Mailer
  /** Returns the sandbox for user code, or the reason why it is unavailable. */
  findSandbox: () => Promise<SandboxAvailability>
  /** Returns the principal of an active user. Code of runs has their access. */
  findPrincipal: RunTokensDependencies['findPrincipal']
  /** Returns whether an attempt is running, on any worker. The token of its code is valid only during this time. */
  isAttemptRunning: RunTokensDependencies['isAttemptRunning']
  /** Secret of the installation, from which the signing key of run tokens is derived. */
  signingSecret: string
  /** Address at which user code reaches the API. */
  server: RunServer
  /** Settings of the Python packages of tasks. */
  packages: PackageSettings
  /** Folder for installed Python packages. */
  packagesFolder: string
  /** Internal hosts that tasks can connect to. */
  internalHosts: readonly HostPattern[]
  /** Connects scripts with allowed hosts. */
  proxy: Pick<ForwardProxy, 'open'>
  /** Returns the secrets that tasks use. */
  secrets: Pick<Secrets, 'reveal'>
  /** Waits for a slot for a script on this server; undefined if the server does not execute scripts. */
  acquireScriptSlot: TestTaskDependencies['acquireScriptSlot']
}

/** Interface for other features. */
export interface Tasks extends Pick<TasksService, 'findRunnable' | 'categoriesOf'> {
  /** Returns a kind of task by its name; undefined if this installation does not have it. */
  findKind: TaskKinds['find']
  /** Adds a kind of task. Call it before the server accepts requests. */
  addKind: TaskKinds['add']
  /** Authenticates user code by its run token, and passes other requests to `next`. */
  authenticate(next: Authenticate): Authenticate
  /** Redacts the secrets that tasks of a user are currently using in a string from a script. */
  hideSecrets(userId: number, text: string): string
  /** Returns the number of tasks in the groups of a scope. */
  countIn(scope: AccessScope): Promise<number>
  /** Returns whether a test run with these ids is in progress in this process. */
  isTestRunning(attempt: RunAttempt): boolean
  /** Stops all test runs. Called before the server stops. */
  stopTestRuns(): void
  /** Adds the routes of tasks to a router. */
  registerRoutes(router: Router): void
}

/** Creates the feature. */
export function createTasks(dependencies: TasksDependencies): Tasks {
  const {
    database,
    clock,
    groups,
    items,
    files,
    logs,
    mailer,
    findSandbox,
    server,
    signingSecret: secret,
  } = dependencies
  const { findPrincipal, isAttemptRunning } = dependencies
  const { packages: settings, packagesFolder, proxy, secrets } = dependencies
  const kinds = createTaskKinds()
  const inUse = createSecretsInUse()
  const testRuns = createTestRuns((userId, text) => inUse.hide(userId, text))
  const findTestRun = (attempt: RunAttempt) => testRuns.find(attempt)
  const tokens = createRunTokens({ secret, clock, findPrincipal, isAttemptRunning, findTestRun })
  const packages = createPackages({ settings, folder: packagesFolder, findSandbox })
  const store = createTasksStore(items)
  const taskDependencies = { store, kinds, groups, clock }
  const tasks = createTasksService(taskDependencies)
  const hosts = createTaskHostsService({
    store,
    kinds,
    groups,
    clock,
    hosts: createTaskHostsStore(database),
    internalHosts: dependencies.internalHosts,
  })
  // Called for each connection, so that the scripts of a deactivated user cannot open more.
  const isHostAllowed = async (userId: number, ...of: Parameters<typeof hosts.isAllowed>) =>
    (await findPrincipal(userId)) !== undefined && hosts.isAllowed(...of)
  const addKind: TaskKinds['add'] = (kind) => kinds.add(withSecrets(kind, { secrets, inUse }))
  const runner = { clock, findSandbox, server, tokens, packages, logs, proxy, isHostAllowed }
  addKind(createPythonRunner(runner))
  addKind(createEmailSender({ mailer, files }))
  const { symbols, egress } = dependencies
  for (const kind of createLibrary({ files, symbols, egress, clock, findSandbox })) addKind(kind)
  return {
    findRunnable: (principal, name) => tasks.findRunnable(principal, name),
    categoriesOf: (principal, ids) => tasks.categoriesOf(principal, ids),
    findKind: (name) => kinds.find(name),
    addKind,
    authenticate: (next) => tokens.authenticate(next),
    hideSecrets: (userId, text) => inUse.hide(userId, text),
    async countIn(scope) {
      const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 1 } as const
      return (await store.search({ scope, latest: true }, page)).total
    },
    isTestRunning: (attempt) => testRuns.find(attempt) !== undefined,
    stopTestRuns: () => testRuns.stop(),
    registerRoutes(router) {
      const { acquireScriptSlot } = dependencies
      registerTasksRoutes(router, tasks, hosts, { ...taskDependencies, testRuns, acquireScriptSlot })
    },
  }
}
