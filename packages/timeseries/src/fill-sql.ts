import { isNumeric, type ResultColumn } from './result-format.ts'
import type { Fill } from './query-options.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { ValueType } from './series-upload.ts'
import { finiteSql } from './sql-text.ts'

/** Maximum number of filled rows. More would delay the start of a result beyond a few seconds. */
export const maxFilledRows = 40_000_000
const maxAveragePoints = 1000

/** The points of one selection, as rows `selection, sid, ts, age, v0…`. */
export interface FillBranch {
  /** Index of the selection. */
  selectionIndex: number
  /** SQL that returns the rows of the selection. */
  sql: string
  /** For each column of the result, whether the selection requests it. */
  isRequested: readonly boolean[]
  /** Fill of the selection; undefined for none. */
  fill: Fill | undefined
}

/** A source of rows with filled gaps. */
export interface FilledSource {
  /**
   * SQL that returns rows `selection, sid, ts, age, v0…`. Filled rows have the age 0. A value that exceeds the range of a
   * double is infinite.
   */
  source: string
  /** Whether a single-threaded read returns the rows sorted by series and time. */
  isOrdered: boolean
  /** Whether a value exceeds the range of a double. */
  hasOverflows: boolean
  /** For each column of the result, the index of its column in the source. Default: the same index. */
  sourceIndexes?: readonly number[]
}

/** Returns whether filled values of a type may exceed the range of a double although their source values do not. */
export function canOverflow(type: ValueType, { kind }: Fill): boolean {
  return type === 'double' && (kind === 'linear' || kind === 'average')
}

/**
 * Checks a fill.
 * @throws SeriesEngineError `invalid`
 */
export function checkFill(fill: Fill): void {
  if (fill.kind === 'previous') {
    const { maxAgeMs = 1 } = fill
    if (Number.isSafeInteger(maxAgeMs) && maxAgeMs >= 1) return
    throw new SeriesEngineError(
      'invalid',
      'The maximum age of a value must be a whole number of milliseconds, at least 1.',
    )
  }
  if (fill.kind !== 'average') return
  if (Number.isInteger(fill.points) && fill.points >= 1 && fill.points <= maxAveragePoints) return
  throw new SeriesEngineError(
    'invalid',
    `The mean that fills a gap can use 1 to ${maxAveragePoints.toLocaleString('en')} points, not ${fill.points}.`,
  )
}

/** Returns whether this many series can be filled at this many timestamps. */
export function canFillRows(instants: number, series: number): boolean {
  return instants * series <= maxFilledRows
}

/**
 * Checks the number of filled rows.
 * @throws SeriesEngineError `too-large`
 */
export function checkFilledRows(instants: number, series: number): void {
  if (canFillRows(instants, series)) return
  throw new SeriesEngineError(
    'too-large',
    `Filling the gaps of ${series} series at ${instants} timestamps or more would produce more than ${maxFilledRows.toLocaleString('en')} rows. Request fewer series or a shorter range.`,
  )
}

/**
 * Builds the SQL that returns filled rows and the rows of selections without a fill, as `selection, sid, ts, age, v0…`.
 *
 * @param keepsOverflows whether values beyond the range of a double stay infinite, so that they can be counted; default
 * false: they become empty
 */
export function buildFillSql(
  branches: readonly FillBranch[],
  columns: readonly ResultColumn[],
  filled: FilledSource,
  { keepsOverflows = false }: { keepsOverflows?: boolean } = {},
): string {
  const others = branches.filter(({ fill }) => fill === undefined)
  const isChecked = filled.hasOverflows && !keepsOverflows
  const facts = ['selection', 'sid', 'ts', 'age']
  const names = columns.map((_, index) => `v${index}`)
  const values = columns.map(({ type }, index) => {
    const value = `v${filled.sourceIndexes?.[index] ?? index}`
    return `${isChecked && type === 'double' ? finiteSql(value) : value} AS f${index}`
  })
  const renamed = columns.map((_, index) => `f${index} AS v${index}`)
  const hasValue = columns.map((_, index) => `isNotNull(f${index})`).join(' OR ') || '1'
  const rows = `SELECT ${[...facts, ...renamed].join(', ')} FROM (SELECT ${[...facts, ...values].join(', ')} FROM ${filled.source})${isChecked ? ` WHERE ${hasValue}` : ''}`
  if (others.length === 0) return rows
  return `${rows} UNION ALL SELECT ${[...facts, ...names].join(', ')} FROM (${unionOf(others)})`
}

/** Returns whether a fill supports a type. */
export function canFill(type: ValueType, { kind }: Fill): boolean {
  return isNumeric(type) || kind === 'previous' || kind === 'next' || kind === 'nearest'
}

/** Builds the SQL that returns the rows of all branches. */
export function unionOf(branches: readonly FillBranch[]): string {
  return branches.map(({ sql }) => sql).join(' UNION ALL ')
}
