import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import { createRunStage, insertUser, taskOf } from './testing/run-stage.ts'

test('after an upgrade from a version without this feature, paused, waiting, interrupted and stopped runs continue', async () => {
  const database = await openTestDatabase()
  const { pool } = database
  try {
    await migrateUntil(pool, '2026-11-24T1850')
    const userId = await insertUser(database)
    const stage = createRunStage(database, userId)
    /** Stores a run and its steps in the format of the earlier server. */
    const store = async (
      flags: { paused?: boolean; stopRequested?: boolean },
      steps: { state: string; outcome?: { status: string; message: string } }[],
    ) => {
      const id = randomUUID()
      await pool.query(
        `insert into jobs (id, type, name, owner_id, status, latest_status, types, follows_components, started_at)
         values ($1, 'PIPELINE', 'old', $2, 'RUNNING', 'RUNNING', '{None}', false, now())`,
        [id, userId],
      )
      await pool.query(
        `insert into pipeline_runs (id, name, group_name, user_id, paused, stop_requested) values ($1, 'old', '', $2, $3, $4)`,
        [id, userId, flags.paused ?? false, flags.stopRequested ?? false],
      )
      await pool.query(`insert into pipeline_run_values values ($1, 'kept', 'value')`, [id])
      for (const [index, { state, outcome }] of steps.entries()) {
        const [eId, name] = [randomUUID(), `step ${index + 1}`]
        const { onError: _none, ...task } = taskOf(name, { isPaused: flags.paused === true && index === 1 })
        await pool.query('insert into pipeline_run_steps values ($1, $2, $3, $4, $5, $6)', [
          id,
          index + 1,
          eId,
          JSON.stringify(task),
          state,
          outcome === undefined ? null : JSON.stringify(outcome),
        ])
        await pool.query(
          `insert into job_components (job_id, e_id, component, status, started_at) values ($1, $2, $3, $4, now())`,
          [id, eId, name, outcome?.status ?? 'UNEXECUTED'],
        )
      }
      return id
    }
    const done = { state: 'done', outcome: { status: 'INFO', message: 'earlier' } }
    const waiting = { state: 'waiting' }
    const paused = await store({ paused: true }, [done, waiting, waiting])
    const fresh = await store({}, [waiting, waiting])
    const interrupted = await store({}, [done, { state: 'running' }, waiting])
    const failed = await store({}, [
      { state: 'done', outcome: { status: 'ERROR', message: 'no price' } },
      waiting,
    ])
    const stopped = await store({ paused: true, stopRequested: true }, [done, waiting])

    await migrate(pool, migrationsFolders)
    const executed: string[] = []
    const runs = stage.startWorker({
      good: ({ run, taskName }) => {
        executed.push(`${run.jobId} ${taskName}`)
        return { status: 'INFO', message: '' }
      },
    })
    const all = { 'step 1': 'INFO', 'step 2': 'INFO', 'step 3': 'INFO' }
    expect((await stage.ended(runs, fresh)).steps).toEqual({ 'step 1': 'INFO', 'step 2': 'INFO' })
    expect((await stage.ended(runs, interrupted)).steps).toEqual(all)
    expect(await stage.ended(runs, failed)).toMatchObject({ status: 'ERROR', message: '“step 1”: no price' })
    expect((await stage.ended(runs, stopped)).message).toBe('The run was stopped.')
    expect((await runs.find(paused))?.state).toBe('paused')
    expect(await runs.value(paused, 'kept')).toBe('value')
    expect(await runs.continue(paused, undefined, new Date())).toBe(true)
    expect((await stage.ended(runs, paused)).steps).toEqual(all)
    expect(executed.filter((line) => line.startsWith(paused))).toEqual([
      `${paused} step 2`,
      `${paused} step 3`,
    ])
    await stage.clear()
  } finally {
    await database.close()
  }
})
