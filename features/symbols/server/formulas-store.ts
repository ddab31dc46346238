import { sql, type RawBuilder } from 'kysely'
import type { Database, Executor } from '@headwater/server-kit'
import type { FormulaJoin } from '../contract/index.ts'
import { forgetUnusedNames } from './ingest-store.ts'

/** An input of a formula as it is stored. */
export interface StoredInput {
  name: string
  groupId: number
  /** Digest of the keys, as hexadecimal digits. */
  digest: string
  keys: Record<string, string>
  column: string
}

/** A formula as it is stored. */
export interface StoredFormula {
  symbolId: number
  groupId: number
  /** Digest of its own keys, as hexadecimal digits. */
  digest: string
  /** Name of its value column. */
  column: string
  expression: string
  join: FormulaJoin
  inputs: StoredInput[]
}

/** What a saved formula says. */
export interface FormulaRecord {
  expression: string
  join: FormulaJoin
  inputs: readonly StoredInput[]
  userId: number
  at: Date
}

/** A symbol by its group and the digest of its keys. */
export type SymbolPlace = Pick<StoredInput, 'groupId' | 'digest'>

/** Keeps formulas. Functions with an executor are part of the caller's transaction. */
export interface FormulasStore {
  /** Formulas by the ids of their symbols; other ids are left out. */
  byIds(symbolIds: readonly number[]): Promise<StoredFormula[]>
  /** Formulas that have one of these symbols as an input. */
  usersOf(places: readonly SymbolPlace[]): Promise<SymbolPlace[]>
  /** Names of groups by id; those that are gone are left out. */
  groupNames(groupIds: readonly number[]): Promise<Map<number, string>>
  /** Lets one formula after the other be saved, until the end of the transaction. */
  lockSaving(executor: Executor): Promise<void>
  countIn(executor: Executor, groupId: number): Promise<number>
  /** Id of the value column of a name, made if need be; its type when it is not double. */
  takeColumn(
    executor: Executor,
    groupId: number,
    name: string,
  ): Promise<{ id: number; wrongType?: undefined } | { wrongType: string }>
  /** @returns false if the group has a symbol of these keys */
  create(
    executor: Executor,
    symbol: { groupId: number; digest: Buffer; keys: Record<string, string>; columnId: number },
    record: FormulaRecord,
  ): Promise<boolean>
  /** @returns false if it is not there (any more) */
  change(
    executor: Executor,
    symbol: { id: number; groupId: number; columnId: number },
    record: FormulaRecord,
  ): Promise<boolean>
}

/** The formulas in PostgreSQL. */
export function createFormulasStore(database: Pick<Database, 'tables'>): FormulasStore {
  const db = database.tables<Record<string, never>>()

  // All of them find by an index; and a lookup has a transaction of its own, which may not end that of the caller.
  async function run<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(db)).rows
  }

  return {
    byIds: (symbolIds) =>
      run(
        sql<StoredFormula>`select symbols.id as "symbolId", symbols.group_id as "groupId", encode(symbols.digest, 'hex') as digest,
            (select name from value_columns where id = symbols.column_ids[1]) as column,
            formulas.expression, formulas.join_mode as join, formulas.inputs
          from formulas join symbols on symbols.id = formulas.symbol_id
          where formulas.symbol_id = any(${symbolIds}::bigint[]) order by symbols.id`,
      ),
    usersOf(places) {
      const isUsed = places.map(
        ({ groupId, digest }) => sql`formulas.inputs @> ${JSON.stringify([{ groupId, digest }])}::jsonb`,
      )
      return run(
        sql<SymbolPlace>`select symbols.group_id as "groupId", encode(symbols.digest, 'hex') as digest
          from formulas join symbols on symbols.id = formulas.symbol_id where ${sql.join(isUsed, sql` or `)}`,
      )
    },
    async groupNames(groupIds) {
      const rows = await run(
        sql<{
          id: number
          name: string
        }>`select id, name from group_names where id = any(${groupIds}::bigint[])`,
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    async lockSaving(executor) {
      await executor.query(`select pg_advisory_xact_lock(hashtext('formulas'))`, [])
    },
    async countIn(executor, groupId) {
      const { rows } = await executor.query(
        'select count(*)::int as count from symbols where group_id = $1 and is_formula',
        [groupId],
      )
      return (rows as { count: number }[])[0]!.count
    },
    async takeColumn(executor, groupId, name) {
      await executor.query(
        `insert into value_columns (group_id, name, type) values ($1, $2, 'double') on conflict (group_id, name) do nothing`,
        [groupId, name],
      )
      const { rows } = await executor.query(
        'select id, type from value_columns where group_id = $1 and name = $2',
        [groupId, name],
      )
      const [column] = rows as { id: number; type: string }[]
      return column!.type === 'double' ? { id: column!.id } : { wrongType: column!.type }
    },
    async create(executor, { groupId, digest, keys, columnId }, record) {
      const { rows } = await executor.query(
        `insert into symbols (group_id, digest, keys, column_ids, is_formula) values ($1, $2, $3::jsonb, array[$4::int], true)
         on conflict (group_id, digest) do nothing returning id`,
        [groupId, digest, JSON.stringify(keys), columnId],
      )
      if (rows.length === 0) return false
      await executor.query(
        'insert into symbol_keys (group_id, name) select $1, unnest($2::text[]) on conflict do nothing',
        [groupId, Object.keys(keys)],
      )
      await executor.query(
        `insert into formulas (symbol_id, expression, join_mode, inputs, saved_by, saved_at)
         values ($1, $2, $3, $4::jsonb, $5, $6)`,
        [(rows as { id: number }[])[0]!.id, ...valuesOf(record)],
      )
      return true
    },
    async change(executor, { id, groupId, columnId }, record) {
      const { rows } = await executor.query(
        `update formulas set expression = $2, join_mode = $3, inputs = $4::jsonb, saved_by = $5, saved_at = $6,
           revision = revision + 1 where symbol_id = $1 returning symbol_id`,
        [id, ...valuesOf(record)],
      )
      if (rows.length === 0) return false
      await executor.query('update symbols set column_ids = array[$2::int] where id = $1', [id, columnId])
      await forgetUnusedNames(executor, groupId)
      return true
    },
  }
}

function valuesOf({ expression, join, inputs, userId, at }: FormulaRecord): unknown[] {
  return [expression, join, JSON.stringify(inputs), userId, at]
}
