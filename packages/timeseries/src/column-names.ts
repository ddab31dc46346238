import type { ResultColumn } from './result-format.ts'
import type { SeriesQuery } from './series-query.ts'
import type { ValueType } from './series-upload.ts'
import { uniqueNames } from './unique-names.ts'

/** Suffixes of the types in an NCSV header. */
export const suffixes: Record<ValueType, string> = { double: 'DB', integer: 'I', string: 'S', date: 'D' }

/**
 * Returns the member names of a row: the columns, then the version text. A second column with the same name and another type
 * gets a type suffix as in NCSV. A name that collides with another member gets `_2`.
 */
export function jsonColumnNames(query: SeriesQuery, columns: readonly ResultColumn[]): string[] {
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

/** Returns the names of the symbol keys in a row of STANDARD, whose first member is `symbol`. */
export function standardKeys({ symbolKeys }: SeriesQuery): string[] {
  return uniqueNames(['symbol', 'Date', ...symbolKeys]).slice(2)
}
