import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'

test('statuses and log lines of an earlier version get the groups of their files, even of deleted files', async () => {
  const database = await openTestDatabase()
  const { pool } = database
  try {
    await migrateUntil(pool, '2026-11-28T1440')
    await pool.query(`insert into users (user_name, company_id) select 'anna', id from companies`)
    const groupIds: Record<string, number> = {}
    for (const name of ['Own', 'Other']) {
      const { rows } = await pool.query(
        `insert into groups (name, owner_id) select $1, id from users where user_name = 'anna' returning id`,
        [name],
      )
      groupIds[name] = rows[0].id
    }
    const jobId = randomUUID()
    await pool.query(
      `insert into jobs (id, type, name, group_id, group_name, owner_id, status, latest_status, latest_message, latest_component, types,
         follows_components, started_at)
       select $1, 'PIPELINE', 'old', $2, 'Own', id, 'RUNNING', 'INFO', 'about the file', 'ETL', '{None}', false, now()
       from users where user_name = 'anna'`,
      [jobId, groupIds['Own']],
    )
    const add = async (eId: string, component: string, payload: object, isSent = false) =>
      pool.query(
        `insert into job_components (job_id, e_id, component, status, payload, is_sent, started_at) values ($1, $2, $3, 'INFO', $4, $5, now())`,
        [jobId, eId, component, JSON.stringify(payload), isSent],
      )
    const fileId = randomUUID()
    await pool.query(
      `insert into files (id, group_id, name, type, owner_id, job_id, state, announced_at, zipped, partial_update, avoid_duplicates,
         skip_metadata)
       select $1, $2, 'a.csv', 'SOURCE', id, $3, 'awaiting', now(), false, false, false, false from users where user_name = 'anna'`,
      [fileId, groupIds['Other'], jobId],
    )
    await add('step', 'Load', { groupName: 'Own' })
    await add(fileId, 'ETL', { fileId, groupName: 'Renamed since' })
    await add('deleted file', 'ETL', { fileId: randomUUID(), groupName: 'Other' })
    await add('deleted group', 'ETL', { fileId: randomUUID(), groupName: 'Gone' })
    await add('sent', 'script', { groupName: 'Anything' }, true)
    await pool.query(`insert into job_logs (job_id) values ($1)`, [jobId])
    for (const [index, eId] of [fileId, 'step'].entries())
      await pool.query(
        `insert into log_chunks (job_id, first_line, line_count, e_id, component, debug_count, info_count, warn_count, error_count, body)
         values ($1, $2, 1, $3, 'ETL', 0, 1, 0, 0, '')`,
        [jobId, index + 1, eId],
      )

    await migrate(pool, migrationsFolders)

    const { rows } = await pool.query(
      `select e_id, to_jsonb(group_ids) as groups from job_components where job_id = $1`,
      [jobId],
    )
    expect(Object.fromEntries(rows.map((row) => [row.e_id, row.groups]))).toEqual({
      step: [],
      [fileId]: [groupIds['Other']],
      'deleted file': [groupIds['Other']],
      'deleted group': [0],
      sent: [],
    })
    const chunks = await pool.query('select e_id, group_id from log_chunks order by first_line')
    expect(chunks.rows).toEqual([
      { e_id: fileId, group_id: groupIds['Other'] },
      { e_id: 'step', group_id: null },
    ])
    const jobs = await pool.query('select latest_group_ids <> $1 as is_limited from jobs', ['{}'])
    expect(jobs.rows).toEqual([{ is_limited: true }])
  } finally {
    await database.close()
  }
})
