import { sql, type RawBuilder } from 'kysely'
import { formatUtc, containsPattern, type Database, type RecordedRequest } from '@headwater/server-kit'
import type { AuditRecord } from '../contract/index.ts'

/** Conditions of a page of records. */
export interface AuditFilter {
  /** Exactly this user. */
  userName?: string | undefined
  /** Exactly this route. */
  route?: string | undefined
  /** Text in a value of the object. */
  object?: string | undefined
  /** Whether the request succeeded. */
  outcome?: 'succeeded' | 'refused' | undefined
  /** Earliest time, included. */
  from?: Date | undefined
  /** Latest time, excluded. */
  to?: Date | undefined
  /** Only records with a smaller id. */
  before?: number | undefined
  /** Maximum number of records. */
  size: number
}

/** Stores audit records. There is no method that changes a record. */
export interface AuditStore {
  /** Adds records. */
  append(records: readonly RecordedRequest[]): Promise<void>
  /** Returns matching records, newest first. */
  list(filter: AuditFilter): Promise<AuditRecord[]>
  /** Deletes records from before a time, at most 10,000; returns their number. */
  deleteBefore(time: Date): Promise<number>
}

const deletedAtOnce = 10_000

/** Creates the store in PostgreSQL. */
export function createAuditStore(database: Pick<Database, 'tables'>): AuditStore {
  const db = database.tables<Record<string, never>>()
  return {
    async append(records) {
      const column = <T>(read: (record: RecordedRequest) => T) => records.map(read)
      await sql`insert into audit_records (at, user_id, user_name, run_id, route, method, path, object, status, address)
        select * from unnest(${column(({ at }) => at.toISOString())}::timestamptz[], ${column(({ userId }) => userId ?? null)}::bigint[],
          ${column(({ userName }) => userName ?? null)}::text[], ${column(({ runId }) => runId ?? null)}::text[],
          ${column(({ route }) => route)}::text[], ${column(({ method }) => method)}::text[],
          ${column(({ path }) => path)}::text[], ${column(({ object }) => JSON.stringify(object))}::jsonb[],
          ${column(({ status }) => status)}::smallint[], ${column(({ address }) => address)}::text[])`.execute(
        db,
      )
    },
    async list(filter) {
      const { rows } = await sql<
        Omit<AuditRecord, 'time'> & { at: Date }
      >`select id, at, user_name as "userName", run_id as "runId", route, method, path, object, status, address
        from audit_records where ${sql.join(conditionsOf(filter), sql` and `)} order by id desc limit ${filter.size}`.execute(
        db,
      )
      return rows.map(({ at, ...record }) => ({ ...record, time: formatUtc(at) }))
    },
    deleteBefore: (time) =>
      db.transaction().execute(async (tx) => {
        await sql`set local headwater.audit_retention = 'on'`.execute(tx)
        const { rows } = await sql`delete from audit_records where id in (
          select id from audit_records where at < ${time} order by at limit ${deletedAtOnce}
        ) returning 1`.execute(tx)
        return rows.length
      }),
  }
}

function conditionsOf(filter: AuditFilter): RawBuilder<unknown>[] {
  const { userName, route, object, outcome, from, to, before } = filter
  return [
    sql`true`,
    ...(userName === undefined ? [] : [sql`user_name = ${userName.toLowerCase()}`]),
    ...(route === undefined ? [] : [sql`route = ${route}`]),
    ...(outcome === undefined ? [] : [outcome === 'succeeded' ? sql`status < 400` : sql`status >= 400`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(object === undefined
      ? []
      : [
          sql`exists (select from jsonb_each_text(object) as pair where pair.value ilike ${containsPattern(object)})`,
        ]),
  ]
}
