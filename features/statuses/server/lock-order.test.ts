import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import { migrationsFolders } from '@headwater/server/testing'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase(migrationsFolders)
})
afterAll(() => database.close())

const changes = {
  set_component_status: `select set_component_status($1, 'step', 'INFO', 'done', now())`,
  end_components: `select end_components(array[$1::uuid], array['step'], array['INFO'], array['done'], array[now()])`,
  end_job_components: `select end_job_components($1, '[{"eId": "step", "status": "INFO", "message": "done"}]')`,
}

test.each(Object.entries(changes))(
  '%s locks the job before its components, as status updates of steps do',
  async (_, change) => {
    const { pool } = database
    const job = randomUUID()
    await pool.query(
      `with owner as (insert into users (user_name, company_id) select $2, id from companies returning id)
     insert into jobs (id, type, name, owner_id, status, latest_status, latest_message, types, payload, follows_components, started_at)
     select $1, 'PIPELINE', 'flow', id, 'RUNNING', 'RUNNING', '', '{None}', '{}', false, now() from owner`,
      [job, `user ${job}`],
    )
    await pool.query(
      `insert into job_components (job_id, e_id, component, status, message, started_at)
     values ($1, 'step', 'Step', 'RUNNING', '', now())`,
      [job],
    )
    const reporter = await pool.connect()
    try {
      await reporter.query('begin')
      await reporter.query('select from jobs where id = $1 for update', [job])
      const changed = pool.query(change, [job])
      const isWaiting = async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        return rows.length > 0
      }
      await expect.poll(isWaiting).toBe(true)
      await reporter.query(`update job_components set message = 'half' where job_id = $1`, [job])
      await reporter.query('commit')
      await changed
      const { rows } = await pool.query('select status, message from job_components where job_id = $1', [job])
      expect(rows).toEqual([{ status: 'INFO', message: 'done' }])
    } finally {
      reporter.release()
    }
  },
)
