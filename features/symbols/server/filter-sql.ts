import { sql, type Kysely, type RawBuilder } from 'kysely'
import { containsPattern, wildcardPattern } from '@headwater/server-kit'
import type { SymbolFilter } from './symbol-filter.ts'

/** A filter as an SQL condition on `symbols`. */
export type FilterSql = RawBuilder<boolean>

/**
 * Turns a filter into SQL. Names of groups, keys and columns are looked up first: with their ids in its place the
 * database knows how many symbols a condition leaves, and takes the index where it pays.
 */
export async function toFilterSql(
  db: Kysely<Record<string, never>>,
  filter: SymbolFilter,
): Promise<FilterSql> {
  const groups = await readableGroups(db, filter)
  const conditions = await Promise.all([
    ...filter.values.map((value) => valueSql(db, groups, value)),
    ...filter.columns.map((column) => columnSql(db, groups, wildcardPattern(column.toLowerCase()))),
    textSql(db, groups, filter),
  ])
  if (groups !== 'all') conditions.push(sql`symbols.group_id = any(${groups}::bigint[])`)
  if (filter.keyCount !== undefined)
    conditions.push(sql`(select count(*) from jsonb_object_keys(symbols.keys)) = ${filter.keyCount}`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

type Db = Kysely<Record<string, never>>
type Groups = readonly number[] | 'all'

async function readableGroups(db: Db, { groups, groupNames }: SymbolFilter): Promise<Groups> {
  if (groupNames.length === 0) return groups
  const names = groupNames.map(({ pattern, isExact }) =>
    isExact ? sql`name = ${pattern}` : sql`name ilike ${wildcardPattern(pattern)}`,
  )
  return ids(db, sql`select id from groups where ${isIn('id', groups)} and ${sql.join(names, sql` and `)}`)
}

// The first condition is for the trigram index, which knows lines `key=value` in lower case; the second one is exact.
async function valueSql(
  db: Db,
  groups: Groups,
  { kind, name, pattern, isLiteral = false }: SymbolFilter['values'][number],
): Promise<RawBuilder<unknown>> {
  const table = kind === 'symbol' ? sql`symbol_keys` : sql`metadata_columns`
  const map = kind === 'symbol' ? sql`symbols.keys` : sql`symbols.metadata`
  const { rows } = await sql<{ name: string }>`select distinct name from ${table}
    where lower(name) = ${name} and ${isIn('group_id', groups)}`.execute(db)
  if (rows.length === 0) return sql`false`
  const like = isLiteral ? literalPattern(pattern) : wildcardPattern(pattern)
  const line = `%\n${literalPattern(name)}=${like.toLowerCase()}\n%`
  const exact = rows.map((row) => sql`${map} ->> ${row.name}::text like ${like}`)
  return sql`(symbols.search_text like ${line} and (${sql.join(exact, sql` or `)}))`
}

async function columnSql(db: Db, groups: Groups, pattern: string): Promise<RawBuilder<unknown>> {
  const columns = await columnIds(db, groups, pattern)
  return columns.length === 0 ? sql`false` : sql`symbols.column_ids && ${columns}::int[]`
}

function columnIds(db: Db, groups: Groups, pattern: string): Promise<number[]> {
  return ids(
    db,
    sql`select id from value_columns where lower(name) like ${pattern} and ${isIn('group_id', groups)}`,
  )
}

// A client library that could not read data looks for its symbols by the bare name of the group.
async function textSql(
  db: Db,
  groups: Groups,
  { words, text = '' }: SymbolFilter,
): Promise<RawBuilder<unknown>> {
  if (words.length === 0) return sql`true`
  const everyWord = sql.join(
    await Promise.all(words.map((word) => wordSql(db, groups, word.toLowerCase()))),
    sql` and `,
  )
  const named = await ids(
    db,
    sql`select id from groups where lower(name) = ${text.toLowerCase()} and ${isIn('id', groups)}`,
  )
  return named.length === 0 ? everyWord : sql`((${everyWord}) or symbols.group_id = any(${named}::bigint[]))`
}

/** One or two characters have no trigram of their own, but a beginning of a word has. */
async function wordSql(db: Db, groups: Groups, word: string): Promise<RawBuilder<unknown>> {
  const isShort = word.replaceAll('*', '').length < 3
  const start = wildcardPattern(word.replace(/^\*+|\*+$/g, ''))
  const patterns = isShort ? ['\n', '=', ' '].map((before) => `%${before}${start}%`) : [containsPattern(word)]
  const columns = await columnIds(db, groups, isShort ? `${start}%` : containsPattern(word))
  const places = patterns.map((pattern) => sql`symbols.search_text like ${pattern}`)
  if (columns.length > 0) places.push(sql`symbols.column_ids && ${columns}::int[]`)
  return sql`(${sql.join(places, sql` or `)})`
}

function isIn(column: 'id' | 'group_id', groups: Groups): RawBuilder<unknown> {
  return groups === 'all' ? sql`true` : sql`${sql.ref(column)} = any(${groups}::bigint[])`
}

async function ids(db: Db, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map((row) => row.id)
}

function literalPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
