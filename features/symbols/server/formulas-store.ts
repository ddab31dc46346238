import { sql, type RawBuilder } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Database, Executor } from '@headwater/server-kit'
import type { FormulaJoin } from '../contract/index.ts'
import { forgetUnusedNames } from './ingest-store.ts'
import { runLookup, startLookupTime } from './run-lookup.ts'

/** A stored input of a formula. */
export interface StoredInput {
  /** Name in the expression. */
  name: string
  /** Id of the group of the series. */
  groupId: number
  /** Digest of the keys, in hexadecimal. */
  digest: string
  /** Keys and values of the series. */
  keys: Record<string, string>
  /** Name of the value column. */
  column: string
}

/** A stored formula. */
export interface StoredFormula {
  /** Id of its symbol. */
  symbolId: number
  /** Id of its group. */
  groupId: number
  /** Digest of its own keys, in hexadecimal. */
  digest: string
  /** Name of its value column. */
  column: string
  /** The expression. */
  expression: string
  /** Join of the timestamps. */
  join: FormulaJoin
  /** Inputs in their order. */
  inputs: StoredInput[]
}

/** Names of a formula. */
export interface FormulaName {
  /** Id of its symbol. */
  symbolId: number
  /** Name of its group. */
  groupName: string
  /** Its keys and values. */
  keys: Record<string, string>
}

/** Definition of a formula to save. */
export interface FormulaRecord {
  /** The expression. */
  expression: string
  /** Join of the timestamps. */
  join: FormulaJoin
  /** Inputs in their order. */
  inputs: readonly StoredInput[]
  /** Id of the user who saves it. */
  userId: number
  /** Time of the save. */
  at: Date
}

/** Identifies a symbol by its group and the digest of its keys. */
export type SymbolReference = Pick<StoredInput, 'groupId' | 'digest'>

/** Stores formulas. Functions with an executor are part of the transaction of the caller. */
export interface FormulasStore {
  /** Returns formulas by the ids of their symbols; other ids are omitted. */
  byIds(symbolIds: readonly number[]): Promise<StoredFormula[]>
  /** Returns the formulas that use one of these symbols as an input. */
  usersOf(symbols: readonly SymbolReference[]): Promise<SymbolReference[]>
  /**
   * Returns a page of the formulas with an input in a group, of one symbol if `digest` is given, or with an input that one of the files contains;
   * and the number of those outside the scope.
   * @throws AppError `lookupTooSlow` after 30 s
   */
  findUsing(
    of: { groupId: number; digest: string | undefined } | { fileIds: readonly string[] },
    page: { scope: AccessScope; exceptGroupId: number | undefined; from: number; size: number },
  ): Promise<{ items: FormulaName[]; total: number; hidden: number }>
  /** Returns the names of groups by id; deleted groups are omitted. */
  groupNames(groupIds: readonly number[]): Promise<Map<number, string>>
  /** Serializes saves of formulas until the end of the transaction. */
  lockSaving(executor: Executor): Promise<void>
  /** Returns the number of formulas in a group. */
  countIn(executor: Executor, groupId: number): Promise<number>
  /** Returns the id of a value column, and creates the column if needed; returns its type if it is not double. */
  takeColumn(
    executor: Executor,
    groupId: number,
    name: string,
  ): Promise<{ id: number; wrongType?: undefined } | { wrongType: string }>
  /**
   * Creates a formula.
   * @returns false if the group already has a symbol with these keys
   */
  create(
    executor: Executor,
    symbol: { groupId: number; digest: Buffer; keys: Record<string, string>; columnId: number },
    record: FormulaRecord,
  ): Promise<boolean>
  /**
   * Changes a formula.
   * @returns false if it does not exist
   */
  change(
    executor: Executor,
    symbol: { id: number; groupId: number; columnId: number },
    record: FormulaRecord,
  ): Promise<boolean>
}

/** Creates the store in PostgreSQL. */
export function createFormulasStore(database: Pick<Database, 'tables'>): FormulasStore {
  const db = database.tables<Record<string, never>>()

  // These statements use an index, so they need no timeout. `runLookup` would also open a transaction of its own.
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
    usersOf(symbols) {
      const isUsed = symbols.map(
        ({ groupId, digest }) => sql`formulas.inputs @> ${JSON.stringify([{ groupId, digest }])}::jsonb`,
      )
      return run(
        sql<SymbolReference>`select symbols.group_id as "groupId", encode(symbols.digest, 'hex') as digest
          from formulas join symbols on symbols.id = formulas.symbol_id where ${sql.join(isUsed, sql` or `)}`,
      )
    },
    async findUsing(of, { scope, exceptGroupId, from, size }) {
      const users = sql`formulas join symbols on symbols.id = formulas.symbol_id
        where ${hasInput(of)}
        and symbols.group_id is distinct from ${exceptGroupId ?? null}::bigint`
      const readable =
        scope.groupIds === 'all' ? sql`true` : sql`symbols.group_id = any(${scope.groupIds}::bigint[])`
      const time = startLookupTime()
      const [items, counts] = await Promise.all([
        runLookup(
          db,
          sql<FormulaName>`select symbols.id as "symbolId", symbols.keys,
          (select name from group_names where id = symbols.group_id) as "groupName"
          from ${users} and ${readable} order by symbols.keys::text, symbols.id limit ${size} offset ${from}`,
          time,
        ),
        runLookup(
          db,
          sql<{ total: number; hidden: number }>`select count(*) filter (where ${readable}) as total,
          count(*) filter (where not (${readable})) as hidden from ${users}`,
          time,
        ),
      ])
      return { items, ...counts[0]! }
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

/** Returns the condition that a formula has one of these inputs. */
function hasInput(of: Parameters<FormulasStore['findUsing']>[0]): RawBuilder<unknown> {
  // Not as a subquery of each formula: a file can have a million symbols.
  if ('fileIds' in of)
    return sql`formulas.symbol_id in (
      with input_symbols as materialized (
        select referring.symbol_id, used.id
        from formulas referring cross join lateral jsonb_array_elements(referring.inputs) input
        join symbols used on used.group_id = (input ->> 'groupId')::bigint and used.digest = decode(input ->> 'digest', 'hex')
      )
      select symbol_id from input_symbols
      where id in (select unnest(symbol_ids) from ingests where file_id = any(${of.fileIds}::uuid[])))`
  const { groupId, digest } = of
  return sql`formulas.inputs @> ${JSON.stringify([{ groupId, ...(digest === undefined ? {} : { digest }) }])}::jsonb`
}
