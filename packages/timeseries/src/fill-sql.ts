import { isNumeric, type AnswerColumn } from './answer-format.ts'
import { SeriesEngineError, type Fill, type ValueType } from './series-engine.ts'
import { finiteSql } from './sql-text.ts'

/** More filled rows than this are refused: an answer is to begin within seconds. */
export const maxFilledRows = 40_000_000
const maxAveragePoints = 1000

/** The points of one selection, as rows `place, sid, ts, age, v0…`. */
export interface FillBranch {
  place: number
  sql: string
  /** Whether the selection asks for a column of the answer, by its place. */
  isAsked: readonly boolean[]
  fill: Fill | undefined
}

/** Rows with their gaps filled, as the engine can ask for them. */
export interface FilledSource {
  /** SQL of rows `place, sid, ts, age, v0…`; those that are not points have the age 0. A value beyond what a double holds is infinite. */
  source: string
  /** Whether a statement that reads the rows by one thread gets them series after series, each in the order of time. */
  isOrdered: boolean
  /** Whether there are such values. */
  hasOverflows: boolean
  /** Where the columns of the answer are in the source. Default: at the same places. */
  places?: readonly number[]
}

/** Whether filled values of a type may be beyond what a double holds, though those that they are made of are not. */
export function canOverflow(type: ValueType, { kind }: Fill): boolean {
  return type === 'double' && (kind === 'linear' || kind === 'average')
}

/** @throws SeriesEngineError `invalid` for a fill that makes no sense. */
export function checkFill(fill: Fill): void {
  if (fill.kind === 'previous') {
    const { maxAgeMs = 1 } = fill
    if (Number.isSafeInteger(maxAgeMs) && maxAgeMs >= 1) return
    throw new SeriesEngineError('invalid', 'The greatest age of a value is 1 ms or more, in whole ms.')
  }
  if (fill.kind !== 'average') return
  if (Number.isInteger(fill.points) && fill.points >= 1 && fill.points <= maxAveragePoints) return
  throw new SeriesEngineError(
    'invalid',
    `A gap is filled with the mean of ${fill.points} points; allowed are 1 to ${maxAveragePoints}.`,
  )
}

/** Whether so many series may be filled at so many timestamps. */
export function canFillRows(moments: number, series: number): boolean {
  return moments * series <= maxFilledRows
}

/** @throws SeriesEngineError `too-large` for too many rows. */
export function checkFilledRows(moments: number, series: number): void {
  if (canFillRows(moments, series)) return
  throw new SeriesEngineError(
    'too-large',
    `To fill the gaps of ${series} series at ${moments} timestamps or more makes more than ${maxFilledRows} rows. Ask for fewer series or a shorter range.`,
  )
}

/**
 * SQL of filled rows and of those of selections without a fill, as rows `place, sid, ts, age, v0…`.
 *
 * @param keepsOverflows values beyond what a double holds stay as they are, so that they can be counted; else they are empty
 */
export function buildFillSql(
  branches: readonly FillBranch[],
  columns: readonly AnswerColumn[],
  filled: FilledSource,
  { keepsOverflows = false }: { keepsOverflows?: boolean } = {},
): string {
  const others = branches.filter(({ fill }) => fill === undefined)
  const isChecked = filled.hasOverflows && !keepsOverflows
  const facts = ['place', 'sid', 'ts', 'age']
  const names = columns.map((_, index) => `v${index}`)
  const values = columns.map(({ type }, index) => {
    const value = `v${filled.places?.[index] ?? index}`
    return `${isChecked && type === 'double' ? finiteSql(value) : value} AS f${index}`
  })
  const renamed = columns.map((_, index) => `f${index} AS v${index}`)
  const hasValue = columns.map((_, index) => `isNotNull(f${index})`).join(' OR ') || '1'
  const rows = `SELECT ${[...facts, ...renamed].join(', ')} FROM (SELECT ${[...facts, ...values].join(', ')} FROM ${filled.source})${isChecked ? ` WHERE ${hasValue}` : ''}`
  if (others.length === 0) return rows
  return `${rows} UNION ALL SELECT ${[...facts, ...names].join(', ')} FROM (${unionOf(others)})`
}

/** Whether a fill has values for a type. */
export function canFill(type: ValueType, { kind }: Fill): boolean {
  return isNumeric(type) || kind === 'previous' || kind === 'next' || kind === 'nearest'
}

/** SQL of the rows of branches, one after the other. */
export function unionOf(branches: readonly FillBranch[]): string {
  return branches.map(({ sql }) => sql).join(' UNION ALL ')
}
