import { sql, type RawBuilder } from 'kysely'

/** Returns SQL that folds the case of a column or parameter, so that only the database decides what is equal. */
export function foldSql(text: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql`fold_case(${text}::text)`
}

/** Folds the case of ASCII characters in a string in the same way as the database. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}
