import { sql, type Kysely, type RawBuilder } from 'kysely'
import { narrowScope, type AccessScope } from '@headwater/groups/server'
import { containsPattern, literalPattern, wildcardPattern } from '@headwater/server-kit'
import { foldCase, foldSql } from './fold-case.ts'
import { isoLocal, parseLocalDate } from './local-date.ts'
import type { SymbolFilter } from './symbol-filter.ts'

/** A filter as an SQL condition on `symbols`. */
export type FilterSql = RawBuilder<boolean>

/**
 * For what a condition is written. `index`: every part that an index can answer is there. `rows`: what is cheap to tell of
 * one row after the other, and no more; both choose the same symbols. `estimate`: only what the planner has statistics of.
 */
export type FilterForm = 'index' | 'rows' | 'estimate'

/** A filter whose names have been looked up. */
export interface PreparedFilter {
  /** The groups that it leaves. */
  scope: AccessScope
  toSql(this: void, form: FilterForm): FilterSql
  /** The same as `estimate`, of the symbols of all groups. */
  anywhereSql(this: void): FilterSql
}

/** Turns a filter into SQL that finds its symbols by an index. */
export async function toFilterSql(db: Db, filter: SymbolFilter): Promise<FilterSql> {
  return (await prepareFilter(db, filter)).toSql('index')
}

/**
 * Prepares a filter for SQL. Names of groups, keys and columns are looked up first: with their ids in its place the
 * database knows how many symbols a condition leaves, and takes the index where it pays.
 */
export async function prepareFilter(db: Db, filter: SymbolFilter): Promise<PreparedFilter> {
  const scope = await filterScope(db, filter)
  const groups = scope.groupIds
  const { keyCount } = filter
  const parts = await Promise.all([
    ...filter.values.map((value) => valueSql(db, groups, value)),
    ...filter.columns.map((column) => columnSql(db, groups, wildcardPattern(column))),
    textSql(db, groups, filter),
  ])
  if (keyCount !== undefined)
    parts.push(() => sql`(select count(*) from jsonb_object_keys(symbols.keys)) = ${keyCount}`)
  const all = (form: FilterForm, more: RawBuilder<unknown>[]) =>
    sql<boolean>`(${sql.join([...parts.map((part) => part(form)), ...more], sql` and `)})`
  return {
    scope,
    toSql: (form) => all(form, groups === 'all' ? [] : [sql`symbols.group_id = any(${groups}::bigint[])`]),
    anywhereSql: () => all('estimate', []),
  }
}

type Db = Kysely<Record<string, never>>
type Groups = AccessScope['groupIds']
/** A condition, which may be written in several forms. */
type Part = (form: FilterForm) => RawBuilder<unknown>

/** The groups that a filter leaves. */
export async function filterScope(db: Db, { scope, groupNames }: SymbolFilter): Promise<AccessScope> {
  if (groupNames.length === 0) return scope
  const names = groupNames.map(({ pattern, isExact }) =>
    isExact ? sql`name = ${pattern}` : sql`name ilike ${wildcardPattern(pattern)}`,
  )
  const named = await ids(
    db,
    sql`select id from group_names where ${isIn('id', scope.groupIds)} and ${sql.join(names, sql` and `)}`,
  )
  return narrowScope(scope, named)
}

// The first condition is for the trigram index, which knows lines `key=value` in lower case; the second one is exact.
async function valueSql(
  db: Db,
  groups: Groups,
  { kind, name, pattern, isLiteral = false }: SymbolFilter['values'][number],
): Promise<Part> {
  const map = mapOf(kind)
  const names = await spellings(db, groups, { kind, name })
  if (pattern === '') return () => (names.length === 0 ? sql`true` : sql`not (${map} ?| ${names}::text[])`)
  if (names.length === 0) return () => sql`false`
  const likes = [isLiteral ? literalPattern(pattern) : wildcardPattern(pattern)]
  if (kind === 'metadata') likes.push(...(await storedDates(db, groups, name, pattern)))
  const lines = likes.map((like) => {
    const line = foldSql(`%\n${literalPattern(name)}=${like}\n%`)
    return sql`symbols.search_text like ${line}`
  })
  return (form) => {
    const isLine = sql`(${sql.join(lines, sql` or `)})`
    if (form === 'estimate') return isLine
    const exact = names.flatMap((each) => likes.map((like) => sql`${map} ->> ${each}::text like ${like}`))
    return sql`(${isLine} and (${sql.join(exact, sql` or `)}))`
  }
}

/** The text that metadata of dates have of a date, which may be written in other ways; nothing where there are none or it is no date. */
async function storedDates(db: Db, groups: Groups, name: string, text: string): Promise<string[]> {
  const date = parseLocalDate(text, 'UTC', false)
  if (date === undefined) return []
  const { rows } = await sql`select from metadata_columns
    where type = 'date' and ${foldSql(sql`name`)} = ${foldSql(name)} and ${isIn('group_id', groups)} limit 1`.execute(
    db,
  )
  return rows.length === 0 ? [] : [isoLocal(date)]
}

/** The spellings that the groups have of a name in lower case. */
export async function spellings(
  db: Db,
  groups: Groups,
  { kind, name }: { kind: 'symbol' | 'metadata'; name: string },
): Promise<string[]> {
  const table = kind === 'symbol' ? sql`symbol_keys` : sql`metadata_columns`
  const { rows } = await sql<{ name: string }>`select distinct name from ${table}
    where ${foldSql(sql`name`)} = ${foldSql(name)} and ${isIn('group_id', groups)} order by name`.execute(db)
  return rows.map((row) => row.name)
}

function mapOf(kind: 'symbol' | 'metadata'): RawBuilder<unknown> {
  return kind === 'symbol' ? sql`symbols.keys` : sql`symbols.metadata`
}

async function columnSql(db: Db, groups: Groups, pattern: string): Promise<Part> {
  const columns = await columnIds(db, groups, pattern)
  return () => (columns.length === 0 ? sql`false` : sql`symbols.column_ids && ${columns}::int[]`)
}

function columnIds(db: Db, groups: Groups, pattern: string): Promise<number[]> {
  return ids(
    db,
    sql`select id from value_columns where ${foldSql(sql`name`)} like ${foldSql(pattern)} and ${isIn('group_id', groups)}`,
  )
}

// A client library that could not read data looks for its symbols by the bare name of the group.
async function textSql(
  db: Db,
  groups: Groups,
  { words, text = '', textPlaces, wholeValue }: SymbolFilter,
): Promise<Part> {
  if (words.length === 0) return () => sql`true`
  if (wholeValue !== undefined) return (form) => wholeValueSql(foldCase(wholeValue), textPlaces, form)
  const [named, ...parts] = await Promise.all([
    ids(
      db,
      sql`select id from group_names where ${foldSql(sql`name`)} = ${foldSql(text)} and ${isIn('id', groups)}`,
    ),
    ...words.map(async (word): Promise<Part> =>
      textPlaces === 'values'
        ? (form) => valueWordSql(foldCase(word), form)
        : wordSql(db, groups, foldCase(word)),
    ),
  ])
  return (form) => {
    const everyWord = sql.join(
      parts.map((part) => part(form)),
      sql` and `,
    )
    return named.length === 0
      ? everyWord
      : sql`((${everyWord}) or symbols.group_id = any(${named}::bigint[]))`
  }
}

async function wordSql(db: Db, groups: Groups, word: string): Promise<Part> {
  const pattern = containsPattern(word)
  const columns = await columnIds(db, groups, pattern)
  return (form) => {
    const place = containsSql(pattern, word, form)
    return columns.length === 0 ? place : sql`(${place} or symbols.column_ids && ${columns}::int[])`
  }
}

function valueWordSql(word: string, form: FilterForm): RawBuilder<unknown> {
  const pattern = containsPattern(word)
  return sql`(${containsSql(pattern, word, form)} and exists (
    select from jsonb_each_text(symbols.keys) as pair where ${foldSql(sql`pair.value`)} like ${foldSql(pattern)}))`
}

/** A text that is a value as a whole, of a key or, unless only values are looked at, of metadata. */
function wholeValueSql(
  text: string,
  places: SymbolFilter['textPlaces'],
  form: FilterForm,
): RawBuilder<unknown> {
  const line = containsSql(`%=${literalPattern(text)}\n%`, text, form)
  return sql`(${line} and (
    exists (select from jsonb_each_text(symbols.keys) as pair where ${foldSql(sql`pair.value`)} = ${foldSql(text)})
    or ${places === 'values' ? sql`false` : sql`exists (select from jsonb_each_text(symbols.metadata) as pair where ${foldSql(sql`pair.value`)} = ${foldSql(text)})`}))`
}

/** Finds a text anywhere, with the help of the trigram index. */
function containsSql(pattern: string, word: string, form: FilterForm): RawBuilder<unknown> {
  const like = sql`symbols.search_text like ${foldSql(pattern)}`
  const hints = form !== 'index' || hasTrigram(word) ? [] : runsOf(word).flatMap(pairHintSql)
  return hints.length === 0 ? like : sql`(${like} and ${sql.join(hints, sql` and `)})`
}

/** Whether an index can tell which symbols a filter finds. */
export function isIndexed({ words, values, columns }: SymbolFilter): boolean {
  const isWordIndexed = (word: string) =>
    hasTrigram(word) || runsOf(foldCase(word)).some((run) => pairHintSql(run).length > 0)
  return columns.length > 0 || values.some(({ pattern }) => pattern !== '') || words.some(isWordIndexed)
}

/** Trigrams are of letters and digits; three of them in a row make at least one. */
function hasTrigram(word: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(word)
}

function runsOf(word: string): string[] {
  return word.split('*').filter((run) => run !== '')
}

const ascii = String.raw`[\x01-\x7f]`
const beyondAscii = String.raw`[^\x01-\x7f]`

// Two letters have no trigram, but with every ASCII character that may stand before and behind them they have some dozen,
// which the trigram index is asked for in one go. Symbols with other characters are few, and have an index of their own.
function pairHintSql(run: string): RawBuilder<unknown>[] {
  const isBeyond = sql`symbols.search_text ~ ${sql.lit(beyondAscii)}`
  if (/[^\p{ASCII}]/u.test(run)) return [isBeyond]
  if (run.length < 2 || !/[a-z0-9]/.test(run)) return []
  const around = ascii + run.replace(/[^a-z0-9]/g, String.raw`\$&`) + ascii
  return [sql`(symbols.search_text ~ ${around} or ${isBeyond})`]
}

function isIn(column: 'id' | 'group_id', groups: Groups): RawBuilder<unknown> {
  return groups === 'all' ? sql`true` : sql`${sql.ref(column)} = any(${groups}::bigint[])`
}

async function ids(db: Db, query: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await (query as RawBuilder<{ id: number }>).execute(db)
  return rows.map((row) => row.id)
}
