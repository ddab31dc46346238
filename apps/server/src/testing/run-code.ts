import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock, type RunAttempt } from '@headwater/server-kit'
import { createRunTokens, type RunGrant } from '@headwater/tasks/server'
import type { RunningServer } from '../start-server.ts'
import type { Session } from '../testing.ts'

/** Code of a run. */
export interface RunningCode {
  /** Calls the API with the token of the run. */
  session: Session
  /** Access that the token grants. */
  grant: RunGrant
  /** Begins another attempt at the step, as if its worker was lost, and returns its session. */
  restart: () => Promise<Session>
  /** Ends the attempt. */
  end: () => Promise<void>
}

/** Signs a token of a run with a secret, by default that of the server with this data folder. */
export async function signRunToken(
  grant: RunGrant,
  from: { dataFolder: string } | { secret: string },
): Promise<string> {
  const secret =
    'secret' in from
      ? from.secret
      : (
          JSON.parse(await readFile(join(from.dataFolder, 'secrets.json'), 'utf8')) as {
            tokenSigningKey: string
          }
        ).tokenSigningKey
  const isAttemptRunning = async () => false
  const findPrincipal = async () => undefined
  return createRunTokens({ secret, clock: systemClock, isAttemptRunning, findPrincipal }).sign(grant)
}

/** Stores a run whose step a worker is executing. */
export async function startCode(
  { platform }: RunningServer,
  dataFolder: string,
  sessionOf: (token: string) => Session,
  userName: string,
): Promise<RunningCode> {
  const { pool } = platform.database
  const user = await platform.accounts.findUserByName(userName)
  const userId = user!.userId
  const run: RunAttempt = { runId: randomUUID(), eId: randomUUID(), attempt: 1 }
  await pool.query(
    `with job as (
       insert into queue_jobs (kind, payload, state, run_after, worker, attempt, lease_until, max_attempts)
       values ('code of a test', '{}', 'running', now(), 'test:1', 1, now() + interval '1 day', 1) returning id
     ), status as (
       insert into jobs (id, type, name, owner_id, status, latest_status, types, follows_components, started_at)
       values ($1, 'PIPELINE', 'test', $2, 'RUNNING', 'RUNNING', '{PIPELINE}', false, now())
     ), run as (
       insert into runs (id, name, group_name, user_id, state, created_at) values ($1, 'test', '', $2, 'running', now())
     )
     insert into run_steps (run_id, number, e_id, task, job_kind, waits_for, children, state, attempt, queue_job)
     select $1, 1, $3, '{}', 'code of a test', 0, '{}', 'running', $4, id from job`,
    [run.runId, userId, run.eId, run.attempt],
  )
  const grant = { userId, run, ends: new Date(Date.now() + 3_600_000) }
  let { attempt } = run
  return {
    session: sessionOf(await signRunToken(grant, { dataFolder })),
    grant,
    async restart() {
      attempt += 1
      await pool.query('update run_steps set attempt = $2 where run_id = $1', [run.runId, attempt])
      return sessionOf(await signRunToken({ ...grant, run: { ...run, attempt } }, { dataFolder }))
    },
    async end() {
      await pool.query(`update run_steps set state = 'done', queue_job = null where run_id = $1`, [run.runId])
    },
  }
}
