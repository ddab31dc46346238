import type { Clock, Database } from '@headwater/server-kit'

/** Values of pipelines that outlive a run. */
export type PipelineValues = ReturnType<typeof createPipelineValues>

/** Maximum number of stored values of one pipeline. */
export const maxPipelineValues = 1000

/** Creates the store. */
export function createPipelineValues({ database, clock }: { database: Database; clock: Clock }) {
  const { pool } = database
  return {
    /** Returns a value of a pipeline. */
    async find(pipelineId: string, key: string): Promise<string | undefined> {
      const { rows } = await pool.query(
        'select value from pipeline_values where pipeline_id = $1 and key = $2',
        [pipelineId, key],
      )
      return (rows[0] as { value: string } | undefined)?.value
    },

    /** Returns all values of a pipeline, by name. */
    async list(pipelineId: string): Promise<Map<string, string>> {
      const { rows } = await pool.query(
        'select key, value from pipeline_values where pipeline_id = $1 order by key',
        [pipelineId],
      )
      return new Map((rows as { key: string; value: string }[]).map(({ key, value }) => [key, value]))
    },

    /** Stores or replaces a value; returns false if the pipeline already has {@link maxPipelineValues} other values. */
    async set(pipelineId: string, key: string, value: string): Promise<boolean> {
      const { rows } = await pool.query(
        `insert into pipeline_values (pipeline_id, key, value, stored_at)
         select $1::uuid, $2::text, $3::text, $5::timestamptz
         where exists (select from pipeline_values where pipeline_id = $1 and key = $2)
           or (select count(*) from pipeline_values where pipeline_id = $1) < $4
         on conflict (pipeline_id, key) do update set value = excluded.value, stored_at = excluded.stored_at returning key`,
        [pipelineId, key, value, maxPipelineValues, clock.now()],
      )
      return rows.length > 0
    },
  }
}
