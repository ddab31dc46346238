import { sql, type Kysely, type RawBuilder } from 'kysely'
import { filterScope, spellings } from './filter-sql.ts'
import { foldSql } from './fold-case.ts'
import type { SymbolFilter, SymbolOrder } from './symbol-filter.ts'

/** Converts an order to SQL on `symbols` and `groups`; equal symbols are sorted by creation. */
export async function orderSql(
  db: Kysely<Record<string, never>>,
  filter: SymbolFilter,
  order: readonly SymbolOrder[],
): Promise<RawBuilder<unknown>> {
  const parts = await Promise.all(
    order.map(async ({ field, direction }) => {
      const by = await fieldSql(db, filter, field)
      const isText = field.kind !== 'firstDate' && field.kind !== 'lastDate'
      // texts that differ only in case follow each other
      return (isText ? [foldSql(by), by] : [by]).map((each) =>
        direction === 'desc' ? sql`${each} desc nulls last` : sql`${each} asc nulls last`,
      )
    }),
  )
  return sql.join([...parts.flat(), sql`symbols.id asc`])
}

/** Converts a field to SQL on `symbols` and `groups`; null for symbols without it. */
export async function fieldSql(
  db: Kysely<Record<string, never>>,
  filter: SymbolFilter,
  field: SymbolOrder['field'],
): Promise<RawBuilder<unknown>> {
  switch (field.kind) {
    case 'groupName':
      return sql`groups.name`
    case 'firstDate':
      return visibleTime(sql`symbols.first_at`, filter)
    case 'lastDate':
      return visibleTime(sql`symbols.last_at`, filter)
    default: {
      const map = field.kind === 'symbol' ? sql`symbols.keys` : sql`symbols.metadata`
      const names = await spellings(db, (await filterScope(db, filter)).groupIds, field)
      const values = names.map((name) => sql`${map} ->> ${name}::text`)
      return values.length === 0 ? sql`null::text` : sql`coalesce(${sql.join(values)})`
    }
  }
}

/** Sorting by a timestamp outside the range would reveal it, so symbols of groups with a range come last. */
function visibleTime(time: RawBuilder<unknown>, { limited }: SymbolFilter): RawBuilder<unknown> {
  if (limited === undefined) return time
  return sql`case when symbols.group_id = any(${limited.groupIds}::bigint[]) then null else ${time} end`
}
