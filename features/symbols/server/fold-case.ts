import { sql, type RawBuilder } from 'kysely'

/** SQL of a text without its letter case, as the store has it; parameters too, so that only the database decides what is equal. */
export function foldSql(text: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql`fold_case(${text}::text)`
}

/** The same as far as ASCII goes: which characters of a text are ASCII once it is folded. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}
