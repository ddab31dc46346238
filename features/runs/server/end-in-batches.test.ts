import { expect, inject, test } from 'vitest'
import { createRunsStore, stepJobKinds } from './runs-store.ts'
import { startRun } from './start-run.ts'
import { planOf, setUpRunStage, type Node } from './testing/run-stage.ts'

/** Number of random graphs. */
const graphs = inject('campaign') === 'long' ? 1000 : 20
const runCount = 4

const stage = setUpRunStage()

/** Returns a number from 0 to `limit` - 1 that depends on nothing but the arguments. */
function pick(limit: number, ...key: (number | string)[]): number {
  let mixed = 2_166_136_261
  for (const character of key.join('/')) mixed = Math.imul(mixed ^ character.charCodeAt(0), 16_777_619)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) >>> 0) % limit
}

function graphOf(seed: number): Record<string, Node> {
  const names = Array.from({ length: 2 + pick(9, seed) }, (_, index) => `step ${index}`)
  return Object.fromEntries(
    names.map((name, index): [string, Node] => {
      const before = names.slice(0, index)
      // Mostly chains and fan-ins, because their steps can end together.
      const isFan = seed % 3 === 0
      const after = isFan
        ? index === names.length - 1
          ? before
          : []
        : before.filter((_, other) =>
            other === index - 1 ? pick(10, seed, index) < 7 : pick(10, seed, index, other) < 2,
          )
      const reference = after.length > 0 ? { inputs: { input: `\${${after[0]}}` } } : {}
      const options: Node[] = [
        { isPaused: true },
        { isPaused: true },
        { isUserCode: true },
        { onError: 'continue' },
        { onError: 'skip' },
      ]
      return [
        name,
        { after, outputs: { output: name }, ...reference, ...(isFan ? {} : options[pick(14, seed, name)]) },
      ]
    }),
  )
}

/** Executes runs of a graph and returns their rows after each round in which steps end. */
async function execute(
  seed: number,
  beginsTogether: boolean,
  write: (ends: object[]) => Promise<EndResult[]>,
) {
  const { pool } = stage.database
  const runs = createRunsStore(stage.database)
  const clock = { now: () => new Date(0) }
  const run = { userId: stage.userId, name: 'flow', groupName: '' }
  const ids: string[] = []
  for (let count = 0; count < runCount; count++)
    ids.push((await startRun({ runs, clock }, { ...run, steps: planOf(graphOf(seed)) }))!)
  const rounds: unknown[] = []
  let held: (Step & { job: string })[] = []
  for (let round = 0; ; round++) {
    const { rows: jobs } = await pool.query(
      `select id, payload from claim_queue_jobs('worker:1', $1, 100, interval '1 hour', false)`,
      [Object.values(stepJobKinds)],
    )
    const begin = async ({ id, payload }: QueuedJob) => {
      const step = await runs.begin(
        { id, ...payload },
        { worker: 'worker', restartedMessage: '', at: new Date(0) },
      )
      return step && { run_id: step.runId, number: step.number, attempt: step.attempt, job: id }
    }
    const begun = beginsTogether ? await Promise.all((jobs as QueuedJob[]).map(begin)) : []
    if (!beginsTogether) for (const job of jobs as QueuedJob[]) begun.push(await begin(job))
    held.push(...begun.filter((step) => step !== undefined))
    if (held.length === 0) {
      let isContinued = false
      for (const id of ids) isContinued = (await runs.continue(id, undefined, new Date(0))) || isContinued
      if (!isContinued) return rounds
      continue
    }
    // Some steps take longer than others.
    const slow = held.filter(({ run_id, number }) => pick(5, seed, round, ids.indexOf(run_id), number) === 0)
    const ended = held.length === slow.length ? held : held.filter((step) => !slow.includes(step))
    held = held.length === slow.length ? [] : slow
    ended.sort((a, b) => ids.indexOf(a.run_id) - ids.indexOf(b.run_id) || a.number - b.number)
    const results = await write(
      ended.map(({ run_id, number, attempt, job }) => ({
        runId: run_id,
        number,
        // Some results come from a replaced attempt.
        attempt: attempt + (pick(30, seed, 'late', round, number) === 0 ? 1 : 0),
        outcome: pick(16, seed, 'outcome', ids.indexOf(run_id), number) === 0 ? 'ERROR' : 'INFO',
        message: `message of ${number}`,
        values: { [`step ${number - 1}`]: `value of ${number}` },
        ...(pick(8, seed, 'queue', round) === 0
          ? {}
          : { nextKind: stepJobKinds.builtIn, queueJob: job, worker: 'worker' }),
      })),
    )
    for (const { position, held: isHeld, next } of results) {
      const { job, ...step } = ended[position - 1]!
      if (!isHeld) held.push({ ...step, job })
      else if (next !== null) held.push({ ...next, job })
    }
    rounds.push({
      results: results.map(({ next, ...result }) => ({ ...result, next: withoutIds(next) })),
      rows: await rowsOf(ids),
    })
  }
}

/** A job that a worker has claimed. */
interface QueuedJob {
  id: string
  payload: { runId: string; number: number }
}

/** A step that runs. */
interface Step {
  run_id: string
  number: number
  attempt: number
}

/** Result of the end of a step. */
interface EndResult {
  position: number
  held: boolean
  next: Step | null
}

function withoutIds(next: Step | null): object | null {
  return next && { ...next, run_id: undefined, e_id: undefined }
}

async function rowsOf(ids: string[]): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const id of ids) {
    const { rows: steps } = await stage.database.pool.query(
      `select step.number, step.state, outcome, step.message, waits_for, dead_links, attempt, branch, step.worker, is_left_out,
         queue_job is null as has_no_job, attempt_at, step.started_at, step.ended_at, component.status, component.message as status_message,
         component.started_at as shown_start, component.ended_at as shown_end,
         (select jsonb_agg(to_jsonb(past) - 'run_id' order by attempt) from run_attempts past
          where past.run_id = $1 and past.number = step.number) as attempts
       from run_steps step join job_components component on component.job_id = $1 and component.e_id = step.e_id::text
       where step.run_id = $1 order by number`,
      [id],
    )
    const { rows: runs } = await stage.database.pool.query(
      `select runs.state, runs.outcome, runs.ended_at, jobs.status, latest_status, latest_message, latest_component,
         (select jsonb_object_agg(key, value) from run_values where run_id = $1) as values,
         (select count(*)::integer from queue_jobs where state = 'waiting' and payload ->> 'runId' = $1::text) as jobs
       from runs join jobs using (id) where runs.id = $1`,
      [id],
    )
    rows.push({ run: runs[0], steps })
  }
  return rows
}

test('beginning and ending steps in batches has the same effect as doing it one by one', async () => {
  const { pool } = stage.database
  const at = new Date(1000)
  let inOneStatement = 0
  for (let seed = 0; seed < graphs; seed++) {
    const together = await execute(seed, true, async (ends) => {
      const list = ends.map((end) => JSON.stringify(end))
      const times = ends.map(() => at)
      const { rows: simple } = await pool.query(
        'select coalesce(cardinality(simple_step_ends($1::jsonb[], $2::timestamptz[])), 0) as count',
        [list, times],
      )
      if (ends.length > 1) inOneStatement += (simple[0] as { count: number }).count
      const { rows } = await pool.query(
        `select place as position, held, to_jsonb(next) as next from end_run_steps($1::jsonb[], $2::timestamptz[]) order by place`,
        [list, times],
      )
      return rows as EndResult[]
    })
    await stage.clear()
    const oneByOne = await execute(seed, false, async (ends) => {
      const results: EndResult[] = []
      for (const [index, end] of ends.entries()) {
        const { rows } = await pool.query(
          'select $3::bigint as position, held, to_jsonb(next) as next from end_run_step_or_chain($1, $2)',
          [JSON.stringify(end), at, index + 1],
        )
        results.push(rows[0] as EndResult)
      }
      return results
    })
    await stage.clear()
    expect(together, `graph ${seed}`).toEqual(oneByOne)
  }
  expect(inOneStatement).toBeGreaterThan(graphs)
})

test('a run pauses when its last running step ends and the step after it also waits for a paused step', async () => {
  const runs = stage.startWorker({ good: () => ({ status: 'INFO', message: '' }) })
  const id = await stage.start(runs, { a: {}, b: { isPaused: true }, c: { after: ['a', 'b'] } })
  await expect.poll(async () => (await runs.find(id))?.state).toBe('paused')
  await runs.continue(id, undefined, new Date())
  expect((await stage.ended(runs, id)).status).toBe('INFO')
})

test('a batch that ends a single step skips the statements for larger batches', async () => {
  const runs = createRunsStore(stage.database)
  const run = { userId: stage.userId, name: 'flow', groupName: '' }
  const at = new Date(0)
  await startRun(
    { runs, clock: { now: () => at } },
    { ...run, steps: planOf({ a: {}, b: { after: ['a'] } }) },
  )
  const connection = await stage.database.pool.connect()
  try {
    const { rows: jobs } = await connection.query(
      `select id, payload from claim_queue_jobs('worker:1', $1, 1, interval '1 hour', false)`,
      [[stepJobKinds.builtIn]],
    )
    const [{ id, payload }] = jobs as [{ id: string; payload: { runId: string; number: number } }]
    await runs.begin({ id, ...payload }, { worker: 'worker', restartedMessage: '', at })
    const end = JSON.stringify({
      ...payload,
      attempt: 1,
      outcome: 'INFO',
      message: '',
      values: {},
      nextKind: stepJobKinds.builtIn,
      queueJob: id,
      worker: 'worker',
    })
    await connection.query('begin')
    await connection.query(
      `create or replace function simple_step_ends(ends jsonb[], at timestamptz[]) returns simple_step_end[] language plpgsql
       as $$ begin raise exception 'statements for larger batches'; end $$`,
    )
    const write = (ends: string[]) =>
      connection.query('select held, (next).number from end_run_steps($1::jsonb[], $2::timestamptz[])', [
        ends,
        ends.map(() => at),
      ])
    expect((await write([end])).rows).toEqual([{ held: true, number: 2 }])
    await expect(write([end, end])).rejects.toThrow('statements for larger batches')
  } finally {
    await connection.query('rollback')
    connection.release()
  }
})
