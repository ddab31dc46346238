import { sql, type RawBuilder } from 'kysely'
import type { AccessScope, DeletedQuery } from '@headwater/groups/server'
import { containsPattern, type Database, type Executor } from '@headwater/server-kit'
import { symbolDigest } from './symbol-digest.ts'

/** A removed symbol that can be restored. */
export interface TrashedSymbol {
  /** Id of the symbol. */
  id: number
  /** Id of its group. */
  groupId: number
  /** Name of its group. */
  groupName: string
  /** Keys and values. */
  keys: Record<string, string>
  /** Whether it is a formula. */
  isFormula: boolean
  /** User name of the user who removed it; null if the user was deleted. */
  deletedBy: string | null
  /** Time of the removal. */
  deletedAt: Date
}

/** A symbol to delete permanently. */
export type RemovedSymbol = Pick<TrashedSymbol, 'id' | 'groupId'>

/** Stores removed symbols. Functions with an executor are part of the transaction of the caller, which locks the group. */
export interface TrashedSymbolsStore {
  /** Returns a page of the removed symbols of a scope. */
  list(scope: AccessScope, query: DeletedQuery): Promise<{ symbols: TrashedSymbol[]; total: number }>
  /** Returns a removed symbol; undefined if it is not in the trash, or its group is deleted. */
  find(id: number): Promise<TrashedSymbol | undefined>
  /**
   * Restores a symbol with the given keys. `isCycle`: the formula would depend on itself.
   */
  restore(
    executor: Executor,
    symbol: { id: number; groupId: number; keys: Record<string, string> },
  ): Promise<'restored' | 'notInTrash' | 'nameTaken' | 'isCycle'>
  /** Removes symbols from the trash, so that their points are removed. Returns the groups of the affected symbols. */
  forget(executor: Executor, ids: readonly number[]): Promise<number[]>
  /**
   * Returns a batch of symbols of one group that were removed before a time, except for given symbols; empty when there
   * are no more.
   */
  listRemovedBefore(before: Date, except: readonly RemovedSymbol[]): Promise<RemovedSymbol[]>
}

/** Maximum number of symbols that one purge removes. */
const purgedAtOnce = 5000

const orders: Record<DeletedQuery['sortBy'], RawBuilder<unknown>> = {
  name: sql`removed.keys::text`,
  groupName: sql`lower(groups.name)`,
  deletedAt: sql`removed.removed_at`,
  sizeBytes: sql`removed.removed_at`,
}

/** Creates the store in PostgreSQL. */
export function createTrashedSymbolsStore(database: Database): TrashedSymbolsStore {
  const db = database.tables<Record<string, never>>()
  const from = sql`from removed_symbols removed join group_names groups on groups.id = removed.group_id
    left join user_names users on users.id = removed.removed_by`
  const columns = sql`removed.id, removed.group_id as "groupId", groups.name as "groupName", removed.keys,
    removed.formula is not null as "isFormula", users.user_name as "deletedBy", removed.removed_at as "deletedAt"`
  return {
    async list({ groupIds }, query) {
      const inScope = groupIds === 'all' ? sql`true` : sql`removed.group_id = any(${groupIds}::bigint[])`
      const pattern = containsPattern(query.text.toLowerCase())
      // Text such as Code=BRENT also matches the JSON of the keys.
      const inKeys = sql`exists (select from jsonb_each_text(removed.keys) as pair (key, value)
        where lower(pair.key || '=' || pair.value) like ${pattern})`
      const matches = query.text === '' ? sql`true` : sql`(lower(groups.name) like ${pattern} or ${inKeys})`
      const where = sql`where removed.is_restorable and ${inScope} and ${matches}`
      const direction = query.sortOrder === 'asc' ? sql`asc` : sql`desc`
      const [{ rows: symbols }, { rows: counts }] = await Promise.all([
        sql<TrashedSymbol>`select ${columns} ${from} ${where}
          order by ${orders[query.sortBy]} ${direction}, removed.id ${direction}
          limit ${query.size} offset ${query.from}`.execute(db),
        sql<{ total: number }>`select count(*) as total ${from} ${where}`.execute(db),
      ])
      return { symbols, total: Number(counts[0]!.total) }
    },
    async find(id) {
      const { rows } = await sql<TrashedSymbol>`select ${columns} ${from}
        where removed.is_restorable and removed.id = ${id}`.execute(db)
      return rows[0]
    },
    async restore(executor, { id, groupId, keys }) {
      const digest = symbolDigest(keys)
      if (await closesCycle(executor, { id, groupId, digest })) return 'isCycle'
      const { rows } = await executor.query(
        `with restored as (
           insert into symbols (id, group_id, digest, keys, metadata, column_ids, is_formula)
           select id, group_id, $3, $4::jsonb, metadata, column_ids, formula is not null
           from removed_symbols where id = $1 and group_id = $2 and is_restorable
           on conflict (group_id, digest) do nothing returning id
         )
         select (select count(*) from restored)::int as restored,
           (select count(*) from removed_symbols where id = $1 and is_restorable)::int as trashed`,
        [id, groupId, digest, JSON.stringify(keys)],
      )
      const [{ restored, trashed }] = rows as [{ restored: number; trashed: number }]
      if (trashed === 0) return 'notInTrash'
      if (restored === 0) return 'nameTaken'
      await executor.query(
        'insert into symbol_keys (group_id, name) select $1, unnest($2::text[]) on conflict do nothing',
        [groupId, Object.keys(keys)],
      )
      await executor.query(
        `insert into formulas select (jsonb_populate_record(null::formulas, formula)).*
         from removed_symbols where id = $1 and formula is not null`,
        [id],
      )
      await executor.query(
        `update ingests set symbol_ids = array(select unnest(symbol_ids || $2::bigint) as id order by id)
         where group_id = $1 and file_id = any(
           select unnest(file_ids) from removed_symbols where id = $2)`,
        [groupId, id],
      )
      await executor.query(
        `update removed_symbols set is_restorable = false, is_gone = true, changes = changes + 1,
           digest = null, metadata = null, column_ids = null, formula = null, file_ids = null where id = $1`,
        [id],
      )
      return 'restored'
    },
    async forget(executor, ids) {
      const { rows } = await executor.query(
        `update removed_symbols set is_restorable = false, digest = null, metadata = null, column_ids = null,
           formula = null, file_ids = null
         where id = any($1::bigint[]) and is_restorable returning group_id as "groupId"`,
        [ids],
      )
      return [...new Set((rows as { groupId: number }[]).map(({ groupId }) => groupId))]
    },
    async listRemovedBefore(before, except) {
      const isDue = sql`is_restorable and removed_at < ${before} and id <> all(${except.map(({ id }) => id)}::bigint[])`
      const { rows } = await sql<RemovedSymbol>`
        select id, group_id as "groupId" from removed_symbols where ${isDue} and group_id = (
          select group_id from removed_symbols where ${isDue} order by removed_at limit 1
        ) order by removed_at limit ${purgedAtOnce}`.execute(db)
      return rows
    },
  }
}

/** Returns whether formulas saved in the meantime lead from the inputs of a removed formula to its own keys. */
async function closesCycle(
  executor: Executor,
  { id, groupId, digest }: { id: number; groupId: number; digest: Buffer },
): Promise<boolean> {
  const { rows } = await executor.query(
    `with recursive reached (group_id, digest) as (
       select (input ->> 'groupId')::bigint, decode(input ->> 'digest', 'hex')
       from removed_symbols cross join lateral jsonb_array_elements(formula -> 'inputs') as input
       where id = $1 and formula is not null
       union
       select (input ->> 'groupId')::bigint, decode(input ->> 'digest', 'hex')
       from reached join symbols on symbols.group_id = reached.group_id and symbols.digest = reached.digest
       join formulas on formulas.symbol_id = symbols.id
       cross join lateral jsonb_array_elements(formulas.inputs) as input
     )
     select from reached where group_id = $2 and digest = $3 limit 1`,
    [id, groupId, digest],
  )
  return rows.length > 0
}
