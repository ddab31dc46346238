import { tablesOn, type Database, type Executor } from '@headwater/server-kit'
import type { ExportDetails, ExporterPipeline } from '../contract/index.ts'

interface Tables {
  insight_exports: {
    insight_id: number
    pipeline: ExporterPipeline
    details: ExportDetails
    changed_by: number
    changed_at: Date
  }
  users: { id: number; user_name: string }
}

export interface ExportStore {
  /** The exporter of an insight; undefined when none was made. */
  find(insightId: number): Promise<{ details: ExportDetails; changedBy: string; changedAt: Date } | undefined>
  save(
    insightId: number,
    exporter: { pipeline: ExporterPipeline; details: ExportDetails; changedBy: number; changedAt: Date },
    executor: Executor,
  ): Promise<void>
}

/** The exporters of insights in PostgreSQL. */
export function createExportStore(database: Database): ExportStore {
  const db = database.tables<Tables>()
  return {
    async find(insightId) {
      const row = await db
        .selectFrom('insight_exports')
        .innerJoin('users', 'users.id', 'insight_exports.changed_by')
        .select(['details', 'changed_at', 'users.user_name'])
        .where('insight_id', '=', insightId)
        .executeTakeFirst()
      return row && { details: row.details, changedBy: row.user_name, changedAt: row.changed_at }
    },
    async save(insightId, { pipeline, details, changedBy, changedAt }, executor) {
      const values = {
        pipeline: JSON.stringify(pipeline) as never,
        details: JSON.stringify(details) as never,
        changed_by: changedBy,
        changed_at: changedAt,
      }
      await tablesOn<Tables>(executor)
        .insertInto('insight_exports')
        .values({ insight_id: insightId, ...values })
        .onConflict((conflict) => conflict.column('insight_id').doUpdateSet(values))
        .execute()
    },
  }
}
