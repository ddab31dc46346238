import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { createPipeline, executeTask } from '../contract/index.ts'

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
})
afterAll(() => server.stop())

/** Saves a task with a script that prints a text, and returns its id. */
async function prints(name: string, text: string): Promise<string> {
  const { id } = await owner.call(createTask, {
    body: {
      name,
      groupName: 'Flows',
      definitionName: 'python-runner',
      params: [{ name: 'Script', value: `print("${text}")`, valueType: 'SCRIPT' }],
    },
  })
  return id
}

/**
 * Assigns the name of a task to a different task right after `act` has looked up the original one.
 * @param before number of items that `act` reads before the task
 */
async function swapAfterLookUp<T>(
  id: string,
  otherId: string,
  act: () => Promise<T>,
  before = 0,
): Promise<T> {
  const { pool } = server.running.platform.database
  const waiting = async () => {
    const { rows } = await pool.query(`select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and relation = 'items'::regclass and not granted`)
    return rows.length
  }
  const lock = 'begin; lock table items in access exclusive mode'
  let [keeper, swapper] = [await pool.connect(), await pool.connect()]
  try {
    await keeper.query(lock)
    const acted = act()
    for (let look = 0; look <= before; look++) {
      await expect.poll(waiting).toBe(1)
      // Locks are granted in order: this one is granted between this lookup and the next.
      const locked = swapper.query(lock)
      await expect.poll(waiting).toBe(2)
      await keeper.query('commit')
      await locked
      if (look < before) [keeper, swapper] = [swapper, keeper]
    }
    const { rows } = await swapper.query('select name from items where id = $1', [id])
    await swapper.query('update items set name = $2 where id = $1', [id, randomUUID()])
    await swapper.query('update items set name = $2 where id = $1', [otherId, rows[0]!.name])
    await swapper.query('commit')
    return await acted
  } finally {
    keeper.release()
    swapper.release()
  }
}

/** Returns the message of the last task in the newest finished run with this name. */
async function messageOf(name: string): Promise<string | undefined> {
  const { items } = await owner.call(searchStatuses, { query: { query: name, type: 'PIPELINE' } })
  return items[0]?.endTime === undefined ? undefined : items[0].componentStatuses.at(-1)?.message
}

test('the validated task runs, even if a different task gets its name in the meantime', async () => {
  const id = await prints('alone', 'checked')
  const otherId = await prints('alone too', 'another')
  const body = { taskName: 'alone', taskGroupName: 'Flows', taskId: id }
  await swapAfterLookUp(id, otherId, () => owner.call(executeTask, { body }))
  await expect.poll(() => messageOf('alone')).toBe('checked')
})

test('the validated tasks of a schedule run, even if other tasks get their names in the meantime', async () => {
  const id = await prints('daily', 'checked')
  const otherId = await prints('daily too', 'another')
  const cron = {
    id: 'a',
    taskReadableName: 'a',
    taskName: 'cron-trigger',
    taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
  }
  const task = {
    id: 'b',
    taskReadableName: 'b',
    taskName: 'daily',
    taskGroup: 'Flows',
    prevTasks: [{ id: 'a' }],
  }
  const { pipeline } = await owner.call(createPipeline, {
    body: { name: 'each morning', groupName: 'Flows', tasks: [cron, task] },
  })
  const makeDue = () =>
    server.running.platform.database.pool.query(
      `update schedules set next_at = date_trunc('minute', now()) where kind = 'pipeline' and target_id = $1`,
      [pipeline.id],
    )
  // The pipeline is also an item.
  await swapAfterLookUp(id, otherId, makeDue, 1)
  await expect.poll(() => messageOf('each morning')).toBe('checked')
})
