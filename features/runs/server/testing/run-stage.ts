import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createGroups } from '@headwater/groups/server'
import { createLogs } from '@headwater/logs/server'
import { createJobQueue, type JobQueue } from '@headwater/jobs'
import { systemClock, type Database, type Principal } from '@headwater/server-kit'
import { openTestDatabase, silentLog } from '@headwater/server-kit/testing'
import { migrationsFolders } from '@headwater/server/testing'
import { createStatuses } from '@headwater/statuses/server'
import {
  createRuns,
  stepJobKinds,
  stepLanes,
  type PlannedStep,
  type Runs,
  type RunsDependencies,
  type StepKind,
  type StepOutcome,
  type StepTask,
  type StepWait,
  type StepWork,
} from '../index.ts'

/** Behaviour of a step kind in a test. */
export type Behaviour = (work: StepWork) => Promise<StepOutcome | StepWait> | StepOutcome

/** A step of a test. */
export type Node = Partial<StepTask> & {
  /** Names of the steps before it. */
  after?: string[]
  /** Branches that lead to this step, by name of the previous step. */
  branches?: Record<string, string>
  /** Names of the previous steps that provide its inputs. */
  needs?: string[]
  /** Whether it executes user code. */
  isUserCode?: boolean
}

/** Statuses of a run as the API reports them. */
export interface RunStatuses {
  /** Status of the job. */
  status: string
  /** Latest message of the job. */
  message: string
  /** Status of each step, by name. */
  steps: Record<string, string>
  /** Message of each step, by name. */
  messages: Record<string, string>
}

/** Workers and a user on a test database. */
export type RunStage = ReturnType<typeof createRunStage>

/** Adds a user to a database. */
export async function insertUser(database: Database, name = 'anna'): Promise<number> {
  const { rows } = await database.pool.query(
    'insert into users (user_name, company_id) select $1, id from companies returning id',
    [name],
  )
  return (rows[0] as { id: number }).id
}

/** A stage with its database and the id of its user. */
export type RunStageOfFile = RunStage & { database: Database; userId: number }

/**
 * Opens a database with all tables and a user before the tests of a file, and deletes the runs after each test. Call it
 * once, outside tests. The stage is ready only inside tests and hooks.
 */
export function setUpRunStage(): RunStageOfFile {
  let ready: RunStageOfFile | undefined
  beforeAll(async () => {
    const database = await openTestDatabase(migrationsFolders)
    const userId = await insertUser(database)
    ready = { ...createRunStage(database, userId), database, userId }
  })
  afterEach(() => ready?.clear())
  afterAll(() => ready?.database.close())
  return new Proxy({} as RunStageOfFile, {
    get: (_, name) => {
      if (ready === undefined) throw new Error('The stage is ready only inside tests and hooks.')
      return Reflect.get(ready, name) as unknown
    },
  })
}

/** Returns a stage on a database with all tables. */
export function createRunStage(database: Database, userId: number) {
  const queues: JobQueue[] = []

  async function statusesOf(id: string): Promise<RunStatuses> {
    const { rows } = await database.pool.query(
      `select jobs.status, latest_message as message, jsonb_object_agg(component, c.status) as steps,
         jsonb_object_agg(component, c.message) as messages
       from jobs join job_components c on c.job_id = jobs.id where jobs.id = $1 group by jobs.id`,
      [id],
    )
    return rows[0] as RunStatuses
  }

  return {
    queues,
    statusesOf,

    /** Starts a worker with a step kind for each behaviour. */
    startWorker(
      behaviours: Record<string, Behaviour>,
      kind: Partial<StepKind> = {},
      { random }: Pick<RunsDependencies, 'random'> = {},
    ): Runs {
      const queue = createJobQueue({
        pool: database.pool,
        pollMs: 100,
        lanes: {
          [stepLanes.userCode]: { capacity: 4 },
          [stepLanes.builtIn]: { capacity: 4 },
          default: { capacity: 1 },
        },
      })
      queues.push(queue)
      const idle = createJobQueue({ pool: database.pool })
      const groups = createGroups({
        database,
        clock: systemClock,
        jobs: idle,
        favoriteGroupNames: async () => [],
      })
      const statuses = createStatuses({
        database,
        clock: systemClock,
        groups: groups.access,
        queue: idle,
        hideSecrets: (_userId, text) => text,
      })
      const logs = createLogs({
        database,
        clock: systemClock,
        log: silentLog(),
        statuses,
        limits: { lines: 1000, bytes: 1_000_000 },
      })
      const runs = createRuns({
        database,
        clock: systemClock,
        statuses,
        logs,
        random,
        queue,
        findKind: (definitionName) =>
          behaviours[definitionName] && {
            definitionName,
            repeatable: true,
            readsReferences: false,
            run: async (work) => behaviours[definitionName]!(work),
            ...kind,
          },
        findPrincipal: async () => ({ userId, can: () => true }) as unknown as Principal,
      })
      queue.start()
      return runs
    },

    /** Starts a run of steps and returns its id. */
    async start(runs: Runs, nodes: Record<string, Node>): Promise<string> {
      return (await runs.start({ userId, name: 'flow', groupName: '', steps: planOf(nodes) }))!
    },

    /**
     * Returns a step that starts a run for each item and waits for them.
     * @param concurrency number of runs in progress at the same time
     * @param nodes steps of each run
     */
    loopOf(
      runs: () => Runs,
      items: readonly string[],
      concurrency: number,
      nodes: Record<string, Node> = { work: {} },
    ): Behaviour {
      return async ({ eId, children }) => {
        let tally = await children.tally()
        if (tally.total === 0) await children.plan([...items])
        for (;;) {
          const next = await children.next(concurrency - tally.open)
          for (const { position, value } of next)
            await runs().start({
              userId,
              name: value,
              groupName: '',
              steps: planOf(nodes),
              parent: { ...children.parent, eId, position },
              inSameTransaction: async (id, executor) => {
                if (!(await runs().adopt({ ...children.parent, position }, id, executor)))
                  throw new Error('The parent run was stopped.')
              },
            })
          tally = await children.tally()
          if (tally.open > 0) return children.wait(`${tally.ended.INFO} of ${tally.total} have ended.`)
          // A short run can end before its parent waits for it.
          if (next.length === 0) return { status: 'INFO', message: `${tally.ended.INFO} runs` }
        }
      }
    },

    /** Waits for the end of a run and returns its statuses. */
    async ended(runs: Runs, id: string): Promise<RunStatuses> {
      await expect.poll(async () => (await runs.find(id))?.state, { interval: 20 }).toBe('ended')
      return statusesOf(id)
    },

    /** Makes the leases of all workers expire, as if they had been killed. */
    async loseWorkers(): Promise<void> {
      await database.pool.query(
        `update queue_jobs set worker = 'lost:1', lease_until = now() - interval '1 s' where state = 'running'`,
      )
    },

    /** Ends all workers and deletes all runs. */
    async clear(): Promise<void> {
      await Promise.all(queues.splice(0).map((queue) => queue.stop(0)))
      await database.pool.query('delete from runs')
    },
  }
}

/** Returns the steps of a run in the order of the nodes. */
export function planOf(nodes: Record<string, Node>): PlannedStep[] {
  const names = Object.keys(nodes)
  const numberOf = (name: string) => names.indexOf(name) + 1
  return Object.entries(nodes).map(
    ([name, { after = [], branches = {}, needs = [], isUserCode = false, ...task }], index) => ({
      number: index + 1,
      eId: randomUUID(),
      jobKind: isUserCode ? stepJobKinds.userCode : stepJobKinds.builtIn,
      after: after.map(numberOf),
      branches: Object.fromEntries(
        Object.entries(branches).map(([other, branch]) => [numberOf(other), branch]),
      ),
      needs: needs.map(numberOf),
      task: taskOf(name, task),
    }),
  )
}

/** Returns the task of a step. */
export function taskOf(name: string, task: Partial<StepTask> = {}): StepTask {
  return {
    nodeId: name,
    name,
    taskName: name,
    definitionName: 'good',
    inputs: {},
    outputs: {},
    memory: 64,
    timeout: 600,
    isPaused: false,
    ...task,
  }
}
