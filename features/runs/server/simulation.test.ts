import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrationsFolders } from '@headwater/server/testing'
import type { Database, Executor } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import { createChildrenStore } from './children-store.ts'
import { createLimitsStore } from './limits-store.ts'
import { createRunsStore, stepJobKinds, type ChainEnd, type Outcome, type StartedStep } from './runs-store.ts'
import { startRun } from './start-run.ts'
import { insertUser, planOf, type Node } from './testing/run-stage.ts'

/** Number of random sequences of transitions. */
const sequences = inject('campaign') === 'long' ? 10_000 : 60

let database: Database
let userId: number
let groupId: number
beforeAll(async () => {
  database = await openTestDatabase(migrationsFolders)
  userId = await insertUser(database)
  const { rows } = await database.pool.query(
    `insert into groups (name, owner_id) values ('limited', $1) returning id`,
    [userId],
  )
  groupId = (rows[0] as { id: number }).id
})
afterAll(() => database.close())

/** Seeded random number generator (mulberry32), so that a failed sequence can be repeated. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (probability: number) => next() < probability,
  }
}
type Random = ReturnType<typeof createRandom>

/** A job that a simulated worker holds, with the step that it executes. */
interface Held {
  jobId: string
  step: StartedStep
}

function randomNodes({ below, chance }: Random): Record<string, Node> {
  const names = Array.from({ length: 1 + below(9) }, (_, index) => `step ${index}`)
  const hasBranches = new Set(names.filter(() => chance(0.25)))
  return Object.fromEntries(
    names.map((name, index) => {
      const after = names.slice(0, index).filter(() => chance(0.35))
      return [
        name,
        {
          after,
          branches: Object.fromEntries(
            after
              .filter((before) => hasBranches.has(before) && chance(0.8))
              .map((before) => [before, chance(0.5) ? 'then' : 'else']),
          ),
          needs: after.filter(() => chance(0.2)),
          ...(hasBranches.has(name)
            ? { definitionName: 'branch' }
            : chance(0.15)
              ? { definitionName: 'loop' }
              : chance(0.6)
                ? { isFused: true }
                : { isUserCode: chance(0.3) }),
          isPaused: chance(0.12),
          ...(chance(0.3) ? { onError: chance(0.5) ? ('skip' as const) : ('continue' as const) } : {}),
          ...(chance(0.2) ? { retries: 2, retryDelay: 0 } : {}),
        },
      ]
    }),
  )
}

/** Executes runs with two workers that crash, miss notifications and respond late, until all runs have ended. */
async function simulate(random: Random): Promise<{ ids: string[]; violations: string[] }> {
  const { pool } = database
  const runs = createRunsStore(database)
  const limits = createLimitsStore(pool)
  const children = createChildrenStore(pool)
  // The clock of transitions jumps in both directions.
  let now = Date.now()
  const clock = { now: () => new Date((now += random.below(7_200_000) - 1_800_000)) }
  const maxRuns = random.chance(0.25) ? 1 + random.below(2) : null
  await limits.setLimits({ groupId }, { maxRuns, priority: 0 })
  const ids: string[] = []
  for (let count = maxRuns === null ? 1 : 2 + random.below(2); count > 0; count--)
    ids.push(
      (await startRun(
        { runs, clock },
        {
          userId,
          name: 'flow',
          groupName: '',
          group: { id: groupId, name: 'limited' },
          steps: planOf(randomNodes(random)),
          priority: random.below(3),
        },
      ))!,
    )
  const violations: string[] = []
  const workers: Held[][] = [[], []]
  const lost: Held[] = []
  const kinds = [...Object.values(stepJobKinds), 'admit-runs']

  async function claim(worker: number): Promise<void> {
    await pool.query(`update queue_jobs set run_after = now() where state = 'delayed'`)
    const { rows } = await pool.query(
      `select id, kind, payload from claim_queue_jobs($1, $2, $3, interval '1 hour', false)`,
      [`worker ${worker}:1`, kinds, 1 + random.below(3)],
    )
    for (const { id: jobId, kind, payload } of rows as {
      id: string
      kind: string
      payload: { runId: string; number: number }
    }[]) {
      // A worker can crash between claiming a job and beginning its step.
      if (random.chance(0.1)) continue
      if (kind === 'admit-runs') {
        await limits.admit(clock.now())
        if (random.chance(0.9)) await complete(jobId)
        continue
      }
      const step = await runs.begin({ id: jobId, ...payload }, begin(worker))
      if (step === undefined) await complete(jobId)
      else if (random.chance(0.1)) lost.push({ jobId, step })
      else workers[worker]!.push({ jobId, step })
    }
  }

  const begin = (worker: number) => ({
    worker: `worker ${worker}`,
    restartedMessage: 'again',
    at: clock.now(),
  })
  const complete = (jobId: string) =>
    pool.query(`update queue_jobs set state = 'done' where id = $1`, [jobId])

  /** Starts child runs of a step. Returns true if the step waits for them or its worker crashed. */
  async function loop({ jobId, step }: Held): Promise<boolean> {
    if ((await children.tally(step)).total === 0) await children.plan(step, ['a', 'b', 'c'], 0)
    const { open, ended } = await children.tally(step)
    let isRefused = false
    if (ended.WARN + ended.ERROR === 0)
      for (const { position } of await children.next(step, 2 - open)) {
        if (random.chance(0.1)) return true
        const parent = { runId: step.runId, number: step.number, position, eId: step.eId }
        const inSameTransaction = async (id: string, executor: Executor) => {
          if (!(await children.adopt(parent, id, executor))) throw new Error('not needed')
        }
        const run = { userId, name: 'below', groupName: '', group: { id: groupId, name: 'limited' } }
        const steps = planOf({ a: { isPaused: random.chance(0.1) } })
        await startRun({ runs, clock }, { ...run, steps, parent, inSameTransaction }).catch(
          (error: Error) => {
            expect(error.message).toBe('not needed')
            isRefused = true
          },
        )
      }
    const tally = await children.tally(step)
    // If its run was stopped in the meantime, the step waits and continues immediately.
    if (tally.open === 0 && !isRefused) return false
    // A child run can end between the last check and the wait.
    if (random.chance(0.3)) await endOther(step.runId)
    const seen = tally.ended.INFO + tally.ended.WARN + tally.ended.ERROR
    // A replaced attempt does not end the job, because another worker holds it.
    if ((await children.await(step, { seen, message: 'waits' }, clock.now())) && random.chance(0.9))
      await complete(jobId)
    return true
  }

  /** Ends a running step of a different run. */
  async function endOther(runId: string): Promise<void> {
    for (const [worker, held] of workers.entries()) {
      const index = held.findIndex(({ step }) => step.runId !== runId && step.task.definitionName !== 'loop')
      if (index >= 0) return end(held.splice(index, 1)[0]!, worker)
    }
  }

  async function end({ jobId, step }: Held, worker: number): Promise<void> {
    const isLoop = step.task.definitionName === 'loop' && !step.stopRequested
    if (isLoop && (await loop({ jobId, step }))) return
    const { failed } = isLoop ? await children.tally(step) : {}
    const outcome = failed?.outcome ?? randomOutcome(isLoop)
    return endStep({ jobId, step }, worker, step.stopRequested ? 'ERROR' : outcome)
  }

  function randomOutcome(isLoop: boolean): Outcome {
    if (isLoop || random.chance(0.7)) return 'INFO'
    return random.chance(0.5) ? 'ERROR' : 'WARN'
  }

  async function endStep({ jobId, step }: Held, worker: number, outcome: Outcome): Promise<void> {
    const ends = [endOf(step, outcome)]
    // The worker executes some of the steps of the chain before it writes the results.
    for (const next of step.chain) {
      if (ends.at(-1)!.outcome !== 'INFO' || random.chance(0.2)) break
      ends.push(
        endOf({ ...step, ...next, attempt: next.attempt + step.attempt, failures: 0 }, randomOutcome(false)),
      )
    }
    if (random.chance(0.6))
      Object.assign(ends.at(-1)!, {
        nextKind: random.chance(0.7) ? stepJobKinds.builtIn : stepJobKinds.userCode,
        queueJob: jobId,
        worker: `worker ${worker}`,
      })
    const { held, next } = await (ends.length === 1
      ? runs.end(ends[0]!, clock.now())
      : runs.endChain(ends, clock.now()))
    if (next !== undefined && held) workers[worker]!.push({ jobId, step: next })
    // A worker can crash between the transition and the end of its job.
    else if (held && random.chance(0.9)) await complete(jobId)
  }

  function endOf({ runId, number, eId, attempt, task, failures }: StartedStep, outcome: Outcome): ChainEnd {
    const isRetry = outcome === 'ERROR' && failures < (task.retries ?? 0)
    return {
      runId,
      number,
      eId,
      attempt,
      startedAt: clock.now(),
      endedAt: clock.now(),
      outcome,
      message: outcome,
      values: {},
      ...(outcome === 'INFO' && task.definitionName === 'branch'
        ? { branch: random.chance(0.5) ? 'then' : 'else' }
        : {}),
      ...(isRetry ? { retryAt: clock.now(), retryMessage: 'later' } : {}),
    }
  }

  async function crash(worker: number): Promise<void> {
    lost.push(...workers[worker]!.splice(0))
    await expireLeases()
  }

  /** Jobs of crashed workers go back to the queue. */
  async function expireLeases(): Promise<void> {
    const heldJobs = workers.flat().map(({ jobId }) => jobId)
    await pool.query(
      `update queue_jobs set state = 'waiting', worker = null where state = 'running' and not id = any($1::uuid[])`,
      [heldJobs],
    )
  }

  const stopAt = random.chance(0.2) ? random.below(20) : -1
  for (let turn = 0; turn < 2000 * ids.length; turn++) {
    const open = await openRuns()
    const inProgress = open.filter((run) => !run.isHeld && run.depth === 0)
    if (maxRuns !== null && inProgress.length > maxRuns)
      violations.push(`${inProgress.length} runs are in progress, but the limit is ${maxRuns}`)
    if (open.length === 0 && workers.flat().length === 0) break
    const id = open[random.below(open.length)]?.id ?? ids[0]!
    const run = await runs.find(id)
    const worker = random.below(2)
    const event = random.below(20)
    if (turn === stopAt) await runs.stop([id], 'stopped', clock.now())
    else if (run?.state === 'paused' || event === 0) await decideOrContinue(random, runs, id, clock.now())
    else if (event === 1) await crash(worker)
    else if (lost.length > 0 && random.chance(0.2)) {
      // The result of a replaced attempt arrives late.
      const late = lost.splice(random.below(lost.length), 1)[0]!
      const isCurrent = await runs.isAttemptRunning(late.step.runId, late.step.eId, late.step.attempt)
      if (!isCurrent) await end(late, worker)
    } else if (workers[worker]!.length > 0 && random.chance(0.6))
      await end(workers[worker]!.splice(random.below(workers[worker]!.length), 1)[0]!, worker)
    else {
      if (workers.flat().length === 0) await expireLeases()
      await claim(worker)
    }
  }
  const { rows } = await pool.query('select id from runs')
  return { ids: (rows as { id: string }[]).map(({ id }) => id), violations }

  async function openRuns(): Promise<{ id: string; isHeld: boolean; depth: number }[]> {
    const { rows } = await pool.query(
      `select id, is_held as "isHeld", depth from runs where state <> 'ended' order by seq`,
    )
    return rows as { id: string; isHeld: boolean; depth: number }[]
  }
}

async function decideOrContinue(
  random: Random,
  runs: ReturnType<typeof createRunsStore>,
  id: string,
  at: Date,
): Promise<void> {
  if (random.chance(0.5)) await runs.continue(id, undefined, at)
  else await runs.decide(id, { isApproved: random.chance(0.7), userId, reason: 'declined' }, at)
}

/** Returns every violated invariant of an ended run. */
async function violationsOf(id: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    `with step as (select * from run_steps where run_id = $1),
     broken as (
       select 'the run has not ended' as rule from runs where id = $1 and state <> 'ended'
       union all select format('step %s has not ended', number) from step where state <> 'done'
       union all select format('steps waiting for %s differ', number) from step where waits_for < 0
       union all select format('step %s ran before step %s ended well', child.number, parent.number)
         from step parent join step child on child.number = any(parent.children)
         where child.outcome <> 'UNEXECUTED' and parent.outcome <> 'INFO' and not parent.is_left_out
           and parent.task ->> 'onError' is distinct from 'continue'
       union all select format('step %s ended well %s times', number, count(*)) from run_attempts
         where run_id = $1 and outcome = 'INFO' group by number having count(*) > 1
       union all select format('step %s has status %s but outcome %s', number, component.status, step.outcome)
         from step join job_components component on component.job_id = $1 and component.e_id = step.e_id::text
         where component.status <> step.outcome
       union all select format('the job has status %s but the run %s', jobs.status, runs.outcome)
         from runs join jobs using (id) where runs.id = $1 and (jobs.status <> runs.outcome or jobs.ended_at is null)
       union all select format('the run ended with %s although a step failed', outcome) from runs
         where id = $1 and outcome = 'INFO' and exists (select from step where step.outcome in ('ERROR', 'WARN'))
       union all select format('step %s was skipped without a reason', number) from step
         where outcome = 'UNEXECUTED' and not is_left_out and not exists (select from step failed where failed.outcome in ('ERROR', 'WARN'))
           and not (select stop_requested from runs where id = $1)
       union all select format('%s runs started for %s values of step %s', count(*), max(planned), parent_number)
         from runs cross join lateral (select count(*) as planned from run_children
           where run_id = $1 and number = runs.parent_number) as children
         where parent_run_id = $1 group by parent_number having count(*) > max(planned)
       union all select format('step %s ended well without run %s', step.number, position) from step
         join run_children child on child.run_id = $1 and child.number = step.number
         where step.outcome = 'INFO' and child.outcome is distinct from 'INFO'
       union all select format('the result of run %s differs', child_id) from run_children child
         join runs below on below.id = child_id where child.run_id = $1 and child.outcome is distinct from below.outcome
     ) select rule from broken`,
    [id],
  )
  return [...(rows as { rule: string }[]).map(({ rule }) => rule), ...(await wrongBranchesOf(id))]
}

interface BranchRow {
  number: number
  children: number[]
  branches: Record<string, number[]> | null
  branch: string | null
  needs: number[]
  outcome: string
  isLeftOut: boolean
  onError: string | null
}

/**
 * Returns the steps of a run that were wrongly skipped or wrongly executed because of a branch. Failed and stopped runs are not
 * checked.
 */
async function wrongBranchesOf(id: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select number, children, branches, branch, needs, run_steps.outcome, is_left_out as "isLeftOut", task ->> 'onError' as "onError"
     from run_steps join runs on runs.id = run_id where run_id = $1 and not stop_requested order by number`,
    [id],
  )
  const steps = rows as BranchRow[]
  const hasFailed = ({ outcome, onError }: BranchRow) =>
    ['ERROR', 'WARN'].includes(outcome) && onError !== 'continue'
  if (steps.some(hasFailed)) return []
  const leftOut = new Set<number>()
  for (const { number, needs } of steps) {
    const before = steps.filter(({ children }) => children.includes(number))
    const dead = before.filter(
      (step) =>
        leftOut.has(step.number) ||
        Object.entries(step.branches ?? {}).some(
          ([name, targets]) => name !== step.branch && targets.includes(number),
        ),
    )
    const isDead = before.length > 0 && dead.length === before.length
    if (isDead || dead.some((step) => needs.includes(step.number))) leftOut.add(number)
  }
  return steps
    .filter(
      ({ number, outcome, isLeftOut }) =>
        isLeftOut !== leftOut.has(number) || isLeftOut !== (outcome === 'UNEXECUTED'),
    )
    .map(({ number, outcome }) => `step ${number} is ${outcome}, but left out: ${leftOut.has(number)}`)
}

test(
  'runs satisfy their invariants despite crashes, late results and concurrent decisions',
  { timeout: 3_600_000 },
  async () => {
    const firstSeed = inject('campaign') === 'long' ? Math.floor(Math.random() * 2 ** 31) : 1
    for (let seed = firstSeed; seed < firstSeed + sequences; seed++) {
      const { ids, violations } = await simulate(createRandom(seed))
      for (const id of ids) violations.push(...(await violationsOf(id)))
      expect({ seed, violations }).toEqual({ seed, violations: [] })
      await database.pool.query('delete from runs')
      await database.pool.query('delete from queue_jobs')
    }
  },
)

test('the simulation detects a step that ran too early', async () => {
  const runs = createRunsStore(database)
  const steps = planOf({ a: {}, b: { after: ['a'] } })
  const id = (await startRun(
    { runs, clock: { now: () => new Date() } },
    { userId, name: 'flow', groupName: '', steps },
  ))!
  await database.pool.query(
    `update run_steps set state = 'done', outcome = case number when 1 then 'ERROR' else 'INFO' end where run_id = $1`,
    [id],
  )
  expect(await violationsOf(id)).toContain('step 2 ran before step 1 ended well')
  expect(await violationsOf(randomUUID())).toEqual([])
})
