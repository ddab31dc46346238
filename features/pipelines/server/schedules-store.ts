import type { Database, Executor } from '@headwater/server-kit'
import type { StoredTrigger } from './pipelines-store.ts'

interface ScheduleTables {
  pipeline_schedules: { pipeline_id: string; triggers: StoredTrigger[]; set_by: number; next_at: Date | null }
}

/** When a pipeline runs by itself. */
export interface StoredSchedule {
  pipelineId: string
  triggers: readonly StoredTrigger[]
  /** Id of the user whose rights runs ask with. */
  setBy: number
  /** Undefined until it has been worked out. */
  nextAt: Date | undefined
}

/** The schedules in PostgreSQL. */
export interface SchedulesStore {
  find(pipelineId: string): Promise<StoredSchedule | undefined>
  /** Those whose next run has not been worked out. */
  listWithoutMoment(): Promise<StoredSchedule[]>
  /** Sets the next run of one of them; false when it has one by now, or is gone. Part of a transaction. */
  setFirst(pipelineId: string, nextAt: Date, executor: Executor): Promise<boolean>
  /** Sets the schedule of a pipeline. Part of a transaction. */
  set(schedule: StoredSchedule, executor: Executor): Promise<void>
  /** Moves on from what was due at `dueAt`; false when the schedule has changed meanwhile. Part of a transaction. */
  advance(pipelineId: string, dueAt: Date, nextAt: Date, executor: Executor): Promise<boolean>
  remove(pipelineId: string, executor: Executor): Promise<void>
}

/** Makes the store. */
export function createSchedulesStore(database: Database): SchedulesStore {
  const db = database.tables<ScheduleTables>()
  return {
    async find(pipelineId) {
      const row = await db
        .selectFrom('pipeline_schedules')
        .selectAll()
        .where('pipeline_id', '=', pipelineId)
        .executeTakeFirst()
      return row && toSchedule(row)
    },
    async listWithoutMoment() {
      const rows = await db
        .selectFrom('pipeline_schedules')
        .selectAll()
        .where('next_at', 'is', null)
        .execute()
      return rows.map(toSchedule)
    },
    async setFirst(pipelineId, nextAt, executor) {
      const { rows } = await executor.query(
        'update pipeline_schedules set next_at = $2 where pipeline_id = $1 and next_at is null returning pipeline_id',
        [pipelineId, nextAt],
      )
      return rows.length > 0
    },
    async set({ pipelineId, triggers, setBy, nextAt }, executor) {
      await executor.query(
        `insert into pipeline_schedules (pipeline_id, triggers, set_by, next_at) values ($1, $2, $3, $4)
         on conflict (pipeline_id) do update set triggers = excluded.triggers, set_by = excluded.set_by,
           next_at = excluded.next_at`,
        [pipelineId, JSON.stringify(triggers), setBy, nextAt ?? null],
      )
    },
    async advance(pipelineId, dueAt, nextAt, executor) {
      const { rows } = await executor.query(
        'update pipeline_schedules set next_at = $3 where pipeline_id = $1 and next_at = $2 returning pipeline_id',
        [pipelineId, dueAt, nextAt],
      )
      return rows.length > 0
    },
    async remove(pipelineId, executor) {
      await executor.query('delete from pipeline_schedules where pipeline_id = $1', [pipelineId])
    },
  }
}

function toSchedule(row: ScheduleTables['pipeline_schedules']): StoredSchedule {
  const { pipeline_id: pipelineId, triggers, set_by: setBy, next_at: nextAt } = row
  return { pipelineId, triggers, setBy, nextAt: nextAt ?? undefined }
}
