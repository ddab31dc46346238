import { sql, type Kysely, type RawBuilder } from 'kysely'
import { narrowScope, type AccessScope } from '@headwater/groups/server'
import { containsPattern, literalPattern, wildcardPattern } from '@headwater/server-kit'
import { foldCase, foldSql } from './fold-case.ts'
import { isoLocal, parseLocalDate } from './local-date.ts'
import type { SymbolFilter } from './symbol-filter.ts'
import type { LimitedSymbols } from './visible-symbols.ts'

/** A filter as SQL condition on `symbols`. */
export type FilterSql = RawBuilder<boolean>

/**
 * Form of a condition. `index` has every part that an index supports. `rows` has only parts that are cheap per row; both match
 * the same symbols. `estimate` has only parts that the planner has statistics for.
 */
export type FilterForm = 'index' | 'rows' | 'estimate'

/** A filter with names resolved to ids. */
export interface PreparedFilter {
  /** Groups that the filter allows. */
  scope: AccessScope
  /** Returns the condition in a form. */
  toSql(this: void, form: FilterForm): FilterSql
  /** Returns the `estimate` form for the symbols of all groups. */
  anywhereSql(this: void): FilterSql
}

/** Converts a filter to SQL that uses an index. */
export async function toFilterSql(db: Db, filter: SymbolFilter): Promise<FilterSql> {
  return (await prepareFilter(db, filter)).toSql('index')
}

/**
 * Prepares a filter for SQL. Resolves the names of groups, keys and columns to ids first, so that the planner can estimate the
 * number of matches and choose the index.
 */
export async function prepareFilter(db: Db, filter: SymbolFilter): Promise<PreparedFilter> {
  const scope = await filterScope(db, filter)
  const groups = scope.groupIds
  const { keyCount } = filter
  const parts = await Promise.all([
    ...filter.values.map((value) => valueSql(db, groups, value)),
    ...filter.columns.map((column) => columnSql(db, groups, { pattern: wildcardPattern(column), ...filter })),
    textSql(db, groups, filter),
  ])
  if (keyCount !== undefined)
    parts.push(() => sql`(select count(*) from jsonb_object_keys(symbols.keys)) = ${keyCount}`)
  if (filter.limited !== undefined) {
    const isVisible = visibleSql(filter.limited)
    parts.push(() => isVisible)
  }
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
/** A condition that can be written in several forms. */
type Part = (form: FilterForm) => RawBuilder<unknown>

/** Returns the groups that a filter allows. */
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

// The first condition uses the trigram index of lines `key=value` in lower case; the second one is exact.
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

/** Returns the stored text of a date for date metadata; empty if the text is not a date, or the groups have no such metadata. */
async function storedDates(db: Db, groups: Groups, name: string, text: string): Promise<string[]> {
  const date = parseLocalDate(text, 'UTC', false)
  if (date === undefined) return []
  const { rows } = await sql`select from metadata_columns
    where type = 'date' and ${foldSql(sql`name`)} = ${foldSql(name)} and ${isIn('group_id', groups)} limit 1`.execute(
    db,
  )
  return rows.length === 0 ? [] : [isoLocal(date)]
}

/** Returns the spellings of a lower-case name in the groups. */
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

/** Hides the symbols of groups with a range that have no point in it; with `ids` all but these. */
export function visibleSql(
  limited: LimitedSymbols | undefined,
  ids?: readonly number[],
): RawBuilder<unknown> {
  if (limited === undefined) return sql`true`
  const { groupIds, symbols } = limited
  return sql`(symbols.group_id <> all(${groupIds}::bigint[]) or symbols.id = any(${ids ?? [...symbols.keys()]}::bigint[]))`
}

async function columnSql(
  db: Db,
  groups: Groups,
  { pattern, limited }: { pattern: string; limited?: LimitedSymbols },
): Promise<Part> {
  const columns = await columnIds(db, groups, pattern)
  if (columns.length === 0) return () => sql`false`
  const has = sql`symbols.column_ids && ${columns}::int[]`
  if (limited === undefined) return () => has
  const ids = [...limited.symbols]
    .filter(([, visible]) => visible.columns.some(({ id }) => columns.includes(id)))
    .map(([id]) => id)
  return () => sql`(${has} and ${visibleSql(limited, ids)})`
}

function columnIds(db: Db, groups: Groups, pattern: string): Promise<number[]> {
  return ids(
    db,
    sql`select id from value_columns where ${foldSql(sql`name`)} like ${foldSql(pattern)} and ${isIn('group_id', groups)}`,
  )
}

// A client library that cannot read data searches for symbols by the name of the group.
async function textSql(
  db: Db,
  groups: Groups,
  { terms, text = '', textScope, wholeValue, limited }: SymbolFilter,
): Promise<Part> {
  if (terms.length === 0) return () => sql`true`
  if (wholeValue !== undefined) return (form) => wholeValueSql(foldCase(wholeValue), textScope, form)
  const [named, ...parts] = await Promise.all([
    ids(
      db,
      sql`select id from group_names where ${foldSql(sql`name`)} = ${foldSql(text)} and ${isIn('id', groups)}`,
    ),
    ...terms.map(async (term): Promise<Part> =>
      textScope === 'values'
        ? (form) => valueTermSql(foldCase(term), form)
        : termSql(db, groups, { term: foldCase(term), limited }),
    ),
  ])
  return (form) => {
    const everyTerm = sql.join(
      parts.map((part) => part(form)),
      sql` and `,
    )
    return named.length === 0
      ? everyTerm
      : sql`((${everyTerm}) or symbols.group_id = any(${named}::bigint[]))`
  }
}

async function termSql(
  db: Db,
  groups: Groups,
  { term, limited }: { term: string; limited: LimitedSymbols | undefined },
): Promise<Part> {
  const pattern = containsPattern(term)
  const column = await columnSql(db, groups, { pattern, ...(limited === undefined ? {} : { limited }) })
  return (form) => sql`(${containsSql(pattern, term, form)} or ${column(form)})`
}

function valueTermSql(term: string, form: FilterForm): RawBuilder<unknown> {
  const pattern = containsPattern(term)
  return sql`(${containsSql(pattern, term, form)} and exists (
    select from jsonb_each_text(symbols.keys) as pair where ${foldSql(sql`pair.value`)} like ${foldSql(pattern)}))`
}

/** Matches the whole value of a key or, unless only values are searched, of metadata. */
function wholeValueSql(
  text: string,
  textScope: SymbolFilter['textScope'],
  form: FilterForm,
): RawBuilder<unknown> {
  const line = containsSql(`%=${literalPattern(text)}\n%`, text, form)
  return sql`(${line} and (
    exists (select from jsonb_each_text(symbols.keys) as pair where ${foldSql(sql`pair.value`)} = ${foldSql(text)})
    or ${textScope === 'values' ? sql`false` : sql`exists (select from jsonb_each_text(symbols.metadata) as pair where ${foldSql(sql`pair.value`)} = ${foldSql(text)})`}))`
}

/** Matches a string anywhere, by the trigram index. */
function containsSql(pattern: string, term: string, form: FilterForm): RawBuilder<unknown> {
  const like = sql`symbols.search_text like ${foldSql(pattern)}`
  const hints = form !== 'index' || hasTrigram(term) ? [] : runsOf(term).flatMap(pairHintSql)
  return hints.length === 0 ? like : sql`(${like} and ${sql.join(hints, sql` and `)})`
}

/** Returns whether an index supports a filter. */
export function isIndexed({ terms, values, columns }: SymbolFilter): boolean {
  const isTermIndexed = (term: string) =>
    hasTrigram(term) || runsOf(foldCase(term)).some((run) => pairHintSql(run).length > 0)
  return columns.length > 0 || values.some(({ pattern }) => pattern !== '') || terms.some(isTermIndexed)
}

/** Returns whether a term has a trigram: three consecutive letters or digits. */
function hasTrigram(term: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(term)
}

function runsOf(term: string): string[] {
  return term.split('*').filter((run) => run !== '')
}

const ascii = String.raw`[\x01-\x7f]`
const beyondAscii = String.raw`[^\x01-\x7f]`

// Two letters have no trigram, but with every ASCII character before and after them they have some dozens, which one scan of
// the trigram index finds. Symbols with other characters are few and have their own index.
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
