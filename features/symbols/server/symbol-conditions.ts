import { sql, type RawBuilder } from 'kysely'
import { literalPattern } from '@headwater/server-kit'
import { foldSql } from './fold-case.ts'
import type { SymbolCondition } from './value-filters.ts'

/**
 * Converts conditions on keys and metadata to SQL on `symbols`; all of them must hold.
 * @param findSpellings returns how the name of a condition is written in the groups of the symbols. Comparing every key of every symbol
 *   regardless of case would take 30 times as long.
 */
export async function symbolConditionsSql(
  conditions: readonly SymbolCondition[],
  findSpellings: (condition: SymbolCondition) => Promise<readonly string[]>,
): Promise<RawBuilder<unknown>> {
  if (conditions.length === 0) return sql`true`
  const parts = await Promise.all(
    conditions.map(async (condition) => conditionSql(condition, await findSpellings(condition))),
  )
  return sql`(${sql.join(parts, sql` and `)})`
}

function conditionSql(
  { kind, operator, values }: SymbolCondition,
  spellings: readonly string[],
): RawBuilder<unknown> {
  const map = kind === 'symbol' ? sql`symbols.keys` : sql`symbols.metadata`
  const stored = storedSql(map, spellings)
  const [value = ''] = values
  switch (operator) {
    case 'IS_EMPTY':
      return sql`coalesce(${stored}, '') = ''`
    case 'IS_NOT_EMPTY':
      return sql`coalesce(${stored}, '') <> ''`
    case 'EQUALS':
    case 'IN':
      return equalsSql(stored, values)
    case 'NOT_EQUALS':
      return sql`not ${equalsSql(stored, values)}`
    case 'CONTAINS':
      return sql`${foldSql(stored)} like ${foldSql(`%${literalPattern(value)}%`)}`
    case 'STARTS_WITH':
      return sql`${foldSql(stored)} like ${foldSql(`${literalPattern(value)}%`)}`
    case 'ENDS_WITH':
      return sql`${foldSql(stored)} like ${foldSql(`%${literalPattern(value)}`)}`
    default:
      return compareSql(stored, comparisons[operator], value)
  }
}

/** The value of a name; the least one if a symbol has the name in several spellings, and null without it. */
function storedSql(map: RawBuilder<unknown>, spellings: readonly string[]): RawBuilder<unknown> {
  if (spellings.length === 0) return sql`null::text`
  return sql`least(${sql.join(spellings.map((name) => sql`${map} ->> ${name}::text`))})`
}

const comparisons = {
  LESS: sql`<`,
  LESS_OR_EQUAL: sql`<=`,
  GREATER: sql`>`,
  GREATER_OR_EQUAL: sql`>=`,
} as const

// Keys and metadata are stored as texts. If both sides look like numbers they are compared as numbers, so that 2.50 equals 2.5.
const numberPattern = String.raw`^[+-]?\d{1,100}(\.\d{0,100})?([eE][+-]?\d{1,2})?$`

// One parameter for all values: a statement has at most 65,535 parameters, and the database hashes the list.
function equalsSql(stored: RawBuilder<unknown>, values: readonly string[]): RawBuilder<unknown> {
  const texts = [...new Set(values)]
  const numbers = texts.filter(isNumber)
  const isText = sql`coalesce(${stored}, '') = any(${texts}::text[])`
  if (numbers.length === 0) return sql`(${isText})`
  return sql`(${isText} or coalesce(${asNumber(stored)} = any(${numbers}::numeric[]), false))`
}

function compareSql(
  stored: RawBuilder<unknown>,
  comparison: RawBuilder<unknown>,
  value: string,
): RawBuilder<unknown> {
  if (isNumber(value)) return sql`coalesce(${asNumber(stored)} ${comparison} ${value}::numeric, false)`
  return sql`(coalesce(${stored}, '') <> '' and ${stored} collate "C" ${comparison} ${value})`
}

function isNumber(value: string): boolean {
  return new RegExp(numberPattern).test(value)
}

function asNumber(stored: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when ${stored} ~ ${numberPattern} then ${stored}::numeric end)`
}
