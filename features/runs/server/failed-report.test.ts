import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Behaviour, setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

/** Rejections without a handler. Outside of tests, the first one ends the process. */
const unhandled: unknown[] = []
const collect = (reason: unknown) => unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', collect))
afterAll(() => void process.off('unhandledRejection', collect))

test('if the connection breaks while the start of a step is reported, the process and the step continue', async () => {
  const { pool } = stage.database
  const attempts: string[] = []
  const locked = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const work: Behaviour = async ({ taskName }) => {
    attempts.push(taskName)
    await (taskName === 'first' ? locked : finished).promise
    return { status: 'INFO', message: `${taskName} is done` }
  }
  const holder = await pool.connect()
  try {
    const runs = stage.startWorker({ good: work })
    const id = await stage.start(runs, { first: {}, second: { after: ['first'] } })
    await holder.query('begin')
    const { rows: own } = await holder.query<{ pid: number }>(
      `select pg_backend_pid() as pid from job_components where job_id = $1 and component = 'second' for update`,
      [id],
    )
    locked.resolve()

    // Uses a separate connection, because within its transaction the holder would always see the connections of the first call.
    const blocked = async () => {
      const { rows } = await pool.query<{ pid: number }>(
        'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
        [own[0]!.pid],
      )
      return rows
    }
    // The second step runs in the same job as the first one, so its start is reported after a delay. The report waits for the
    // lock, which the end of the first step does not need.
    await expect.poll(blocked).toHaveLength(1)
    const [{ pid } = { pid: 0 }] = await blocked()
    const released = new Promise<void>((resolve) => {
      pool.on('release', (_error, client) => {
        if ('processID' in client && client.processID === pid) resolve()
      })
    })
    await holder.query('select pg_terminate_backend($1)', [pid])
    await released
    // The report fails in the same turn of the event loop.
    await nextTurn()
    expect(unhandled).toEqual([])
    await holder.query('commit')

    finished.resolve()
    expect(await stage.ended(runs, id)).toMatchObject({
      status: 'INFO',
      messages: { first: 'first is done', second: 'second is done' },
    })
    expect(attempts).toEqual(['first', 'second'])
    expect(unhandled).toEqual([])
  } finally {
    locked.resolve()
    finished.resolve()
    holder.release(true)
  }
})
