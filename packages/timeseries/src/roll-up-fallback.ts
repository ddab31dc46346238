import type { RowQuery } from './result-rows.ts'
import { isMissingTable } from './sql-error.ts'

/** Returns whether a query reads a roll-up. */
export function hasRollUp({ selections }: RowQuery): boolean {
  return selections.some(({ rollUp }) => rollUp !== undefined)
}

/**
 * Returns the query without roll-ups. A roll-up is dropped when a newer one is complete, which can happen in the middle of a
 * long result.
 */
export function withoutRollUps(rowQuery: RowQuery): RowQuery {
  const selections = rowQuery.selections.map((selection) => ({ ...selection, rollUp: undefined }))
  return { ...rowQuery, selections }
}

/** Reads a query, or repeats it without roll-ups if one of them was dropped in the meantime. */
export async function orByPoints<T>(
  rowQuery: RowQuery,
  read: (rowQuery: RowQuery) => Promise<T>,
): Promise<T> {
  try {
    return await read(rowQuery)
  } catch (error) {
    if (!isMissingTable(error)) throw error
    return read(withoutRollUps(rowQuery))
  }
}
