import type { AnswerColumn } from './answer-format.ts'
import type { SeriesQuery, ValueType } from './series-engine.ts'
import { uniqueNames } from './unique-names.ts'

/** Sign of a type in the header of NCSV. */
export const suffixes: Record<ValueType, string> = { double: 'DB', integer: 'I', string: 'S', date: 'D' }

/**
 * Names of the members of a row: the columns, and last the text of the version. A second column of a name, which is of another type,
 * bears the sign of its type as in NCSV; one that is named like another member of a row gets `_2`.
 */
export function jsonColumnNames(query: SeriesQuery, columns: readonly AnswerColumn[]): string[] {
  const names = columns.map(({ name, type }, index) =>
    columns.findIndex((column) => column.name === name) === index ? name : `${name}(${suffixes[type]})`,
  )
  const origin = query.versionTexts ? [query.versionTexts.name] : []
  if (query.format === 'ARROW') return [...names, ...origin]
  const others = [
    ...(query.format === 'STANDARD' ? ['symbol', ...standardKeys(query), 'Date'] : []),
    ...(query.format === 'STANDARD' && query.corrections === 'history' ? ['InsertTime'] : []),
    ...origin,
  ]
  return [...uniqueNames([...others, ...names]).slice(others.length), ...origin]
}

/** Names of the symbol keys in a row of STANDARD, whose first member is `symbol`. */
export function standardKeys({ symbolKeys }: SeriesQuery): string[] {
  return uniqueNames(['symbol', 'Date', ...symbolKeys]).slice(2)
}
