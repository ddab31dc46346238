import { sql, type RawBuilder } from 'kysely'
import { isUuid } from '@headwater/contract'
import type { AccessScope, DataRange, LimitedGroup } from '@headwater/groups/server'
import { wildcardPattern } from '@headwater/server-kit'
import type { FileQuery, TextMatch } from './file-query.ts'
import { hasId } from './file-rows.ts'

/**
 * Returns the conditions of a query as SQL over `files` and `group_names as groups`. User input becomes parameters only.
 * @param scope groups that the caller can read
 * @param limited groups in which the caller can read only files with a data range within the range of a share
 */
export function fileConditions({
  query,
  scope: { groupIds },
  limited,
}: {
  query: FileQuery
  scope: AccessScope
  limited: readonly LimitedGroup[]
}): RawBuilder<boolean>[] {
  const conditions = [sql<boolean>`files.state = 'ready'`]
  const add = (condition: RawBuilder<boolean>) => conditions.push(condition)
  if (groupIds !== 'all') {
    const whole = sql<boolean>`files.group_id = any(${groupIds}::bigint[])`
    const within = limited.map(({ id, range }) => sql`(files.group_id = ${id} and ${isFileWithin(range)})`)
    add(limited.length === 0 ? whole : sql`(${sql.join([whole, ...within], sql` or `)})`)
  }
  if (query.latest !== undefined) add(sql`${isLatest(limited)} = ${query.latest}`)
  if (query.arrivedFrom !== undefined) add(sql`files.arrived_at >= ${query.arrivedFrom}`)
  if (query.arrivedBefore !== undefined) add(sql`files.arrived_at < ${query.arrivedBefore}`)
  if (query.types !== undefined)
    add(
      sql`(${sql.join(
        query.types.map((type) => equalsOrLike(sql`files.type`, type)),
        sql` or `,
      )})`,
    )
  for (const id of query.ids) add(equalsId(id))
  for (const name of query.names) {
    if (!name.hasWildcard) add(sql`files.name = ${name.text}`)
    else conditions.push(...somewhere(name.text), lowerLike(sql`files.name`, name))
  }
  if (query.extensions !== undefined) {
    const endings = query.extensions.map(
      (extension) => `%.${wildcardPattern(extension.trim().toLowerCase())}`,
    )
    add(sql`lower(files.name) like any(${endings})`)
    // Uses the text index, in which the name ends a line, so that files without the extension are not read.
    add(
      sql`(${sql.join(
        endings.map((ending) => sql`files.search_text like ${`${ending}%`}`),
        sql` or `,
      )})`,
    )
  }
  for (const name of query.groupNames)
    add(name.hasWildcard ? lowerLike(sql`groups.name`, name) : sql`groups.name = ${name.text}`)
  for (const { name, match } of query.fields) conditions.push(...fieldConditions(name, match))
  if (query.freeText !== undefined) conditions.push(...freeTextConditions(query.freeText))
  return conditions
}

/** Condition on `files`: the file has a data range, and it lies within `range`. */
export function isFileWithin(
  { from, to }: DataRange,
  files: RawBuilder<unknown> = sql`files`,
): RawBuilder<boolean> {
  return sql<boolean>`(${files}.data_start is not null and ${files}.data_end is not null
    and (${from?.getTime() ?? null}::bigint is null or ${files}.data_start >= ${from?.getTime() ?? null})
    and (${to?.getTime() ?? null}::bigint is null or ${files}.data_end < ${to?.getTime() ?? null}))`
}

/** Condition on `files`: no newer version lies within `range`. Users with this range do not see other versions. */
export function isNewestWithin(range: DataRange): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from files newer
    where newer.group_id = files.group_id and newer.name = files.name and newer.state = 'ready'
      and newer.version > files.version and ${isFileWithin(range, sql`newer`)})`
}

/**
 * Condition on `files`: the version is the newest one that is visible to a user with ranges for some groups.
 */
export function isLatest(limited: readonly LimitedGroup[]): RawBuilder<boolean> {
  if (limited.length === 0) return sql<boolean>`files.latest`
  const cases = limited.map(({ id, range }) => sql`when ${id} then ${isNewestWithin(range)}`)
  return sql<boolean>`case files.group_id ${sql.join(cases, sql` `)} else files.latest end`
}

function equalsOrLike(column: RawBuilder<unknown>, { text, hasWildcard }: TextMatch): RawBuilder<boolean> {
  return hasWildcard ? sql`${column} like ${wildcardPattern(text)}` : sql`${column} = ${text}`
}

function lowerLike(column: RawBuilder<unknown>, { text }: TextMatch): RawBuilder<boolean> {
  return sql`lower(${column}) like lower(${wildcardPattern(text)})`
}

function equalsId({ text, hasWildcard }: TextMatch): RawBuilder<boolean> {
  if (hasWildcard) return sql`files.id::text like ${wildcardPattern(text)}`
  return isUuid(text) ? hasId(text) : sql`false`
}

function fieldConditions(name: string, match: TextMatch): RawBuilder<boolean>[] {
  if (!match.hasWildcard) {
    const [one, listed] = [match.text, [match.text]].map((value) => JSON.stringify({ [name]: value }))
    return [sql`(files.fields @> ${one}::jsonb or files.fields @> ${listed}::jsonb)`]
  }
  const value = sql`value #>> '{}'`
  return [
    ...somewhere(match.text),
    sql`exists (
      select from jsonb_array_elements(
        case jsonb_typeof(files.fields -> ${name}) when 'array' then files.fields -> ${name}
          else jsonb_build_array(files.fields -> ${name}) end
      ) value where ${lowerLike(value, match)}
    )`,
  ]
}

/**
 * Returns the condition for free text, which can occur anywhere in the name or the metadata values. With wildcards it
 * must match a whole line of the search text, which is the name or one value.
 */
function freeTextConditions({ text, hasWildcard }: TextMatch): RawBuilder<boolean>[] {
  if (!hasWildcard) return somewhere(text)
  const [begin, end] = [text.startsWith('*') ? '' : '\n', text.endsWith('*') ? '' : '\n']
  const lines = `%${begin}${wildcardPattern(text)}${end}%`
  return [...somewhere(text), sql`${'\n'} || files.search_text || ${'\n'} like lower(${lines})`]
}

/**
 * Returns the condition that the file contains the literal parts of a pattern, which an index can check: trigrams for
 * parts of three characters or more, otherwise single characters and pairs.
 */
function somewhere(pattern: string): RawBuilder<boolean>[] {
  const parts = pattern.split('*').filter((part) => part !== '')
  const hasTrigram = parts.some((part) => /[\p{L}\p{N}]{3}/u.test(part))
  if (hasTrigram || !parts.every((part) => Array.from(part).length <= 2))
    return [sql`files.search_text like lower(${`%${wildcardPattern(pattern)}%`})`]
  return parts.map((part) => sql`files.search_grams @> array[lower(${part})]`)
}
