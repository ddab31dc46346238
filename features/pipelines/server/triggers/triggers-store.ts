import { executorOf, type Database, type Executor } from '@headwater/server-kit'
import type { NewTrigger, StoredTrigger } from './trigger-definitions.ts'

/** Kind of schedule that triggers use. */
export const triggerScheduleKind = 'pipeline-trigger'

/** Stores triggers. Methods with an executor run in the transaction of that executor. */
export interface TriggersStore {
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Returns the triggers of a pipeline, in order. */
  list(pipelineId: string, executor?: Executor): Promise<StoredTrigger[]>
  /** Returns a trigger. */
  find(id: string): Promise<StoredTrigger | undefined>
  /** Returns the webhook with this secret hash. */
  findBySecret(secretHash: string): Promise<StoredTrigger | undefined>
  /** Returns the names of groups by id; deleted groups are absent. */
  groupNames(ids: readonly number[]): Promise<Map<number, string>>
  /** Creates or changes a trigger of a pipeline. */
  save(pipelineId: string, position: number, trigger: NewTrigger, executor: Executor): Promise<void>
  /** Deletes the triggers of a pipeline that are not in the list. */
  removeOthers(pipelineId: string, ids: readonly string[], executor: Executor): Promise<void>
  /**
   * Returns which pipelines start after which other pipelines, according to the triggers of all pipelines. Locks the triggers
   * until the transaction ends.
   */
  lockPipelineEnds(executor: Executor): Promise<{ pipelineId: string; after: string }[]>
  /** Returns the active file triggers of a group, with the group name. */
  listFileTriggers(
    groupId: number,
    executor: Executor,
  ): Promise<{ id: string; namePattern: string; groupName: string }[]>
}

/** Creates the store. */
export function createTriggersStore(database: Database): TriggersStore {
  const { pool } = database
  const db = database.tables<Record<string, never>>()

  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async list(pipelineId, executor = pool) {
      const rows = await rowsOf<TriggerRow>(
        executor,
        `${selectTriggers} where own.pipeline_id = $1 order by own.position`,
        [pipelineId],
      )
      return rows.map(toTrigger)
    },
    async find(id) {
      const rows = await rowsOf<TriggerRow>(pool, `${selectTriggers} where own.id = $1`, [id])
      return rows[0] && toTrigger(rows[0])
    },
    async findBySecret(secretHash) {
      const rows = await rowsOf<TriggerRow>(pool, `${selectTriggers} where own.secret_hash = $1`, [
        secretHash,
      ])
      return rows[0] && toTrigger(rows[0])
    },
    async groupNames(ids) {
      const rows = await rowsOf<{ id: number; name: string }>(
        pool,
        'select id, name from group_names where id = any($1::bigint[])',
        [ids],
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    async save(pipelineId, position, trigger, executor) {
      const { id, type, name, definition, active, ownerId, setAt, secretHash, keyNumber } = trigger
      await executor.query(
        `insert into pipeline_triggers
           (id, pipeline_id, position, type, name, definition, active, owner_id, set_at, secret_hash, key_number)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (id) do update set position = excluded.position, type = excluded.type, name = excluded.name,
           definition = excluded.definition, active = excluded.active, owner_id = excluded.owner_id,
           set_at = excluded.set_at, key_number = excluded.key_number,
           secret_hash = coalesce(excluded.secret_hash, pipeline_triggers.secret_hash)`,
        [
          id,
          pipelineId,
          position,
          type,
          name,
          JSON.stringify(definition),
          active,
          ownerId,
          setAt,
          secretHash ?? null,
          keyNumber,
        ],
      )
    },
    async removeOthers(pipelineId, ids, executor) {
      await executor.query(
        'delete from pipeline_triggers where pipeline_id = $1 and not id = any($2::uuid[])',
        [pipelineId, ids],
      )
    },
    async lockPipelineEnds(executor) {
      await executor.query(`select pg_advisory_xact_lock(hashtext('pipeline triggers'))`, [])
      return rowsOf(
        executor,
        `select distinct pipeline_id as "pipelineId", definition ->> 'pipelineId' as after
         from pipeline_triggers where type = 'PIPELINE'`,
        [],
      )
    },
    async listFileTriggers(groupId, executor) {
      return rowsOf(
        executor,
        `select own.id, own.definition ->> 'namePattern' as "namePattern", groups.name as "groupName"
         from pipeline_triggers own join group_names groups on groups.id = $1
         join item_names pipelines on pipelines.id = own.pipeline_id join group_names home on home.id = pipelines.group_id
         where own.type = 'FILEARRIVAL' and own.active and own.definition -> 'groupId' = to_jsonb($1::bigint)`,
        [groupId],
      )
    },
  }
}

/** Selects triggers with their owners and schedules, as {@link TriggerRow}. */
export const selectTriggers = `
  select own.id, own.pipeline_id, own.type, own.name, own.definition, own.active, own.set_at, own.key_number,
    users.id as owner_id, users.user_name as owner_name, schedule.next_at,
    coalesce(schedule.last_at, own.last_at) as last_at, coalesce(schedule.last_job_id, own.last_job_id) as last_job_id
  from pipeline_triggers own
  join item_names pipelines on pipelines.id = own.pipeline_id
  join group_names groups on groups.id = pipelines.group_id
  join user_names users on users.id = own.owner_id
  left join schedule_moments schedule on schedule.kind = '${triggerScheduleKind}' and schedule.target_id = own.id`

/** A selected trigger. */
export interface TriggerRow {
  id: string
  pipeline_id: string
  type: StoredTrigger['type']
  name: string
  definition: StoredTrigger['definition']
  active: boolean
  set_at: Date
  key_number: number
  owner_id: number
  owner_name: string
  next_at: Date | null
  last_at: Date | null
  last_job_id: string | null
}

/** Converts a selected trigger. */
export function toTrigger(row: TriggerRow): StoredTrigger {
  return {
    id: row.id,
    pipelineId: row.pipeline_id,
    type: row.type,
    definition: row.definition,
    name: row.name,
    active: row.active,
    owner: { id: row.owner_id, userName: row.owner_name },
    setAt: row.set_at,
    keyNumber: row.key_number,
    lastRun:
      row.last_at === null || row.last_job_id === null
        ? undefined
        : { at: row.last_at, jobId: row.last_job_id },
    nextAt: row.next_at ?? undefined,
  } as StoredTrigger
}

/** Runs a statement and returns its rows. */
export async function rowsOf<Row>(executor: Executor, text: string, values: unknown[]): Promise<Row[]> {
  return (await executor.query(text, values)).rows as Row[]
}
