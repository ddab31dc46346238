import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { containsPattern } from '@headwater/server-kit'
import type { DeletedQuery } from './trash-bin.ts'

/** SQL expressions that a list of deleted objects of one kind uses. */
export interface DeletedColumns {
  /** Id, unique among the objects. */
  id: RawBuilder<unknown>
  /** Text columns that a search matches. */
  texts: readonly RawBuilder<unknown>[]
  /** Order by each sort key. */
  orders: Record<DeletedQuery['sortBy'], RawBuilder<unknown>>
}

/** Returns a page of the deleted objects that a query selects, and the number of all matches. */
export async function readDeletedPage<Tables, Table extends keyof Tables, Row>(
  deleted: SelectQueryBuilder<Tables, Table, Row>,
  { id, texts, orders }: DeletedColumns,
  { text, sortBy, sortOrder, from, size }: DeletedQuery,
): Promise<{ rows: Row[]; total: number }> {
  const pattern = containsPattern(text.toLowerCase())
  const isMatch = sql.join(
    texts.map((column) => sql`lower(${column}) like ${pattern}`),
    sql` or `,
  )
  const matching = text === '' ? deleted : deleted.where(sql<boolean>`(${isMatch})`)
  const [rows, count] = await Promise.all([
    matching.orderBy(orders[sortBy], sortOrder).orderBy(id, sortOrder).limit(size).offset(from).execute(),
    matching
      .clearSelect()
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number((count as { total: number }).total) }
}
