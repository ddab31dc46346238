import { fileURLToPath } from 'node:url'
import type { Files } from '@headwater/files/server'
import type { GroupAccess } from '@headwater/groups/server'
import type { Items } from '@headwater/items/server'
import type { SandboxAvailability } from '@headwater/sandbox'
import type { Authenticate, Clock, Mailer, Principal, Router } from '@headwater/server-kit'
import { createEmailSender } from './email-sender.ts'
import { createPythonRunner, type RunServer } from './python-runner.ts'
import { createRunTokens } from './run-tokens.ts'
import { createTaskKinds, type TaskKinds } from './task-kinds.ts'
import { registerTasksRoutes } from './tasks-routes.ts'
import { createTasksService, type TasksService } from './tasks-service.ts'
import { createTasksStore } from './tasks-store.ts'

export type { TaskKind, TaskOutcome, TaskWork } from './task-kinds.ts'
export type { RunnableTask, TaskName } from './tasks-service.ts'
export type { RunServer } from './python-runner.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What the tasks room is made of. */
export interface TasksDependencies {
  clock: Clock
  groups: GroupAccess
  items: Items
  files: Pick<Files, 'getReadable' | 'readContent'>
  mailer: Mailer
  /** The sandbox, or why there is none. */
  findSandbox: () => Promise<SandboxAvailability>
  /** The principal of an active user; code of runs asks with their rights. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Where code that runs finds the API. */
  server: RunServer
}

/** What other rooms may ask of tasks. */
export interface Tasks extends Pick<TasksService, 'findRunnable'> {
  /** A kind of task by its name; undefined when this installation has none. */
  findKind: TaskKinds['find']
  /** Adds a kind of task; before requests are accepted. */
  addKind: TaskKinds['add']
  /** Lets the code of runs in, by the token of the run; everybody else is found by `next`. */
  authenticate(next: Authenticate): Authenticate
  /** Whether the code of a run still goes on, by the `runId` of its principal. */
  isRunning(runId: string): boolean
  registerRoutes(router: Router): void
}

/** Makes the tasks room. */
export function createTasks(dependencies: TasksDependencies): Tasks {
  const { clock, groups, items, files, mailer, findSandbox, findPrincipal, server } = dependencies
  const kinds = createTaskKinds()
  const tokens = createRunTokens(findPrincipal)
  kinds.add(createPythonRunner({ findSandbox, server, tokens }))
  kinds.add(createEmailSender({ mailer, files }))
  const tasks = createTasksService({ store: createTasksStore(items), kinds, groups, clock })
  return {
    findRunnable: (principal, name) => tasks.findRunnable(principal, name),
    findKind: (name) => kinds.find(name),
    addKind: (kind) => kinds.add(kind),
    authenticate: (next) => tokens.authenticate(next),
    isRunning: (runId) => tokens.isOpen(runId),
    registerRoutes: (router) => registerTasksRoutes(router, tasks),
  }
}
