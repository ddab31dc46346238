import type { Database, Executor } from '@headwater/server-kit'
import type { StoredTrigger } from './trigger-definitions.ts'
import { rowsOf, selectTriggers, toTrigger, type TriggerRow } from './triggers-store.ts'

/** An event that starts a run. */
export interface Firing {
  /** Id of the firing, a UUID. */
  id: string
  /** The trigger. */
  trigger: StoredTrigger
  /** Values for tasks, by key. */
  values: Readonly<Record<string, string>>
  /** Ids of the triggers that caused the event through their runs, directly or indirectly. */
  chain: readonly string[]
  /** Number of this repetition of a failed run; 1 for other triggers. */
  attempt: number
  /** Time of the event. */
  occurredAt: Date
}

/** An event to store. */
export interface NewFiring extends Pick<Firing, 'values' | 'occurredAt'> {
  /** Identifies the cause. A trigger fires once for each cause. */
  cause: string
  /** Job id of the run that caused the event; undefined if no run caused it. */
  causedByJob: string | undefined
}

/** A stored event that waits for its run. */
export interface WaitingFiring {
  /** Id of the firing. */
  id: string
  /** Id of the owner of the trigger. */
  ownerId: number
}

/** Stores events of triggers. Methods with an executor run in the transaction of that executor. */
export interface FiringsStore {
  /** Stores an event once for each trigger; returns the new firings. */
  addFirings(triggerIds: readonly string[], event: NewFiring, executor: Executor): Promise<WaitingFiring[]>
  /** Returns an event if its run has not started. */
  findWaiting(firingId: string): Promise<Firing | undefined>
  /** Records the job of an event; returns false if it already has one. */
  recordFiring(firingId: string, jobId: string, executor: Executor): Promise<boolean>
  /** Deletes the pipelines' events that have not started a run; returns the trigger ids of these pipelines. */
  dropWaiting(pipelineIds: readonly string[], executor: Executor): Promise<string[]>
  /** Deletes an event that has not started a run. */
  dropFiring(firingId: string, executor: Executor): Promise<void>
  /** Returns the number of events of a trigger that wait for their run, and the number of events since an instant. */
  countFirings(triggerId: string, since: Date): Promise<{ waiting: number; recent: number }>
  /** Stores the e-mail that caused an event. */
  saveMail(firingId: string, content: Buffer, executor: Executor): Promise<void>
  /** Returns the e-mail that caused an event; undefined if values replaced it or its run has started. */
  findMail(firingId: string): Promise<Buffer | undefined>
  /** Deletes the e-mail of an event and sets its values. */
  replaceMail(firingId: string, values: Readonly<Record<string, string>>): Promise<void>
  /** Deletes a batch of old events that have started a run. */
  purgeFirings(before: Date): Promise<void>
}

/** Maximum number of events that a purge deletes. */
const purgeSize = 200

/** Creates the store. */
export function createFiringsStore({ pool }: Database): FiringsStore {
  return {
    async addFirings(triggerIds, { cause, values, occurredAt, causedByJob }, executor) {
      return rowsOf<WaitingFiring>(
        executor,
        `with added as (
           insert into pipeline_trigger_firings (trigger_id, cause, run_values, chain, occurred_at)
           select own.id, $2, $3, coalesce(
             (select earlier.chain || earlier.trigger_id from pipeline_trigger_firings earlier
              where earlier.job_id = root_of_run($4::uuid) limit 1), '{}'), $5
           from pipeline_triggers own where own.id = any($1::uuid[])
           -- A pipeline that is being deleted takes its triggers with it.
           for key share of own
           on conflict (trigger_id, cause) do nothing
           returning id, trigger_id
         )
         select added.id, own.owner_id as "ownerId" from added join pipeline_triggers own on own.id = added.trigger_id`,
        [triggerIds, cause, JSON.stringify(values), causedByJob ?? null, occurredAt],
      )
    },
    async findWaiting(firingId) {
      const rows = await rowsOf<TriggerRow & FiringRow>(
        pool,
        `select own.*, firing.id as firing_id, firing.run_values, firing.chain, firing.attempt, firing.occurred_at
         from pipeline_trigger_firings firing join (${selectTriggers}) as own on own.id = firing.trigger_id
         where firing.id = $1 and firing.job_id is null`,
        [firingId],
      )
      const row = rows[0]
      if (row === undefined) return undefined
      return {
        id: row.firing_id,
        trigger: toTrigger(row),
        values: row.run_values,
        chain: row.chain,
        attempt: row.attempt,
        occurredAt: row.occurred_at,
      }
    },
    async recordFiring(firingId, jobId, executor) {
      const rows = await rowsOf(
        executor,
        `with fired as (
           update pipeline_trigger_firings set job_id = $2 where id = $1 and job_id is null
           returning trigger_id, occurred_at
         ),
         read as (delete from pipeline_trigger_mails where firing_id = $1)
         update pipeline_triggers own set last_at = fired.occurred_at, last_job_id = $2
         from fired where own.id = fired.trigger_id returning own.id`,
        [firingId, jobId],
      )
      return rows.length > 0
    },
    async dropWaiting(pipelineIds, executor) {
      const rows = await rowsOf<{ id: string }>(
        executor,
        `with dropped as (
           delete from pipeline_trigger_firings where job_id is null
           and trigger_id in (select id from pipeline_triggers where pipeline_id = any($1::uuid[]))
         )
         select id from pipeline_triggers where pipeline_id = any($1::uuid[])`,
        [pipelineIds],
      )
      return rows.map(({ id }) => id)
    },
    async dropFiring(firingId, executor) {
      await executor.query('delete from pipeline_trigger_firings where id = $1 and job_id is null', [
        firingId,
      ])
    },
    async countFirings(triggerId, since) {
      const rows = await rowsOf<{ waiting: number; recent: number }>(
        pool,
        `select count(*) filter (where job_id is null)::int as waiting, count(*) filter (where occurred_at > $2)::int as recent
         from pipeline_trigger_firings where trigger_id = $1 and (job_id is null or occurred_at > $2)`,
        [triggerId, since],
      )
      return rows[0]!
    },
    async saveMail(firingId, content, executor) {
      await executor.query('insert into pipeline_trigger_mails (firing_id, content) values ($1, $2)', [
        firingId,
        content,
      ])
    },
    async findMail(firingId) {
      const rows = await rowsOf<{ content: Buffer }>(
        pool,
        'select content from pipeline_trigger_mails where firing_id = $1',
        [firingId],
      )
      return rows[0]?.content
    },
    async replaceMail(firingId, values) {
      await pool.query(
        `with read as (delete from pipeline_trigger_mails where firing_id = $1)
         update pipeline_trigger_firings set run_values = $2 where id = $1`,
        [firingId, JSON.stringify(values)],
      )
    },
    async purgeFirings(before) {
      await pool.query(
        `delete from pipeline_trigger_firings where id in (
           select id from pipeline_trigger_firings where job_id is not null and occurred_at < $1
           order by occurred_at limit ${purgeSize})`,
        [before],
      )
    },
  }
}

interface FiringRow {
  firing_id: string
  run_values: Record<string, string>
  chain: string[]
  attempt: number
  occurred_at: Date
}
