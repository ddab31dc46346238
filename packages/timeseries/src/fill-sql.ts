import { isNumeric, type AnswerColumn } from './answer-format.ts'
import { clickhouseType } from './native-block.ts'
import { SeriesEngineError, type Fill, type ValueType } from './series-engine.ts'
import { finiteSql, quoteInteger } from './sql-text.ts'

/** More filled rows than this are refused: an answer is to begin within seconds. */
const maxFilledRows = 40_000_000
const maxAveragePoints = 1000

/** The points of one selection, as rows `place, sid, ts, age, v0…`. */
export interface FillBranch {
  place: number
  sql: string
  /** Whether the selection asks for a column of the answer, by its place. */
  isAsked: readonly boolean[]
  fill: Fill | undefined
}

interface FillOptions {
  keepsOverflows?: boolean | undefined
  moments?: string | undefined
  isCount?: ((index: number) => boolean) | undefined
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

/**
 * SQL of how many timestamps and series (`moments`, `series`) are to be brought together, see checkFilledRows, and of the milliseconds
 * from the first to the last timestamp (`spanMs`).
 * @param rows `place, sid, ts`
 */
export function fillSizeSql(rows: string, selections: readonly { fill: Fill | undefined }[]): string {
  const places = selections.flatMap(({ fill }, place) => (fill ? [place] : [])).join(', ')
  return `SELECT toFloat64(uniqCombined(ts)) AS moments, toFloat64(uniqCombinedIf((place, sid), place IN (${places}))) AS series, toFloat64(toUnixTimestamp64Milli(max(ts)) - toUnixTimestamp64Milli(min(ts))) AS spanMs FROM (${rows})`
}

/** @throws SeriesEngineError `too-large` for too many rows. */
export function checkFilledRows(moments: number, series: number): void {
  if (moments * series <= maxFilledRows) return
  throw new SeriesEngineError(
    'too-large',
    `To fill the gaps of about ${series} series at about ${moments} timestamps makes more than ${maxFilledRows} rows. Ask for fewer series or a shorter range.`,
  )
}

/**
 * Rows with their gaps filled, as rows `place, sid, ts, age, v0…`; those that are not points have the age 0.
 *
 * The rows of a series are its points and a row per timestamp of the answer. They are walked through forwards, and backwards where a
 * value after is wanted, each time with the last value that was seen; so memory goes with the rows of one series.
 *
 * @param keepsOverflows values beyond what a double holds stay as they are, so that they can be counted; else they are empty
 * @param moments SQL of the timestamps `ts` to fill. Default: those of all rows
 * @param isCount whether a column, by its place, counts and so is 0 where nothing is
 */
export function buildFillSql(
  branches: readonly FillBranch[],
  columns: readonly AnswerColumn[],
  { keepsOverflows = false, moments, isCount = () => false }: FillOptions = {},
): string {
  const filled = branches.filter(({ fill }) => fill !== undefined)
  const others = branches.filter(({ fill }) => fill === undefined)
  const plans = columns.map((column, index) => {
    const own = isCount(index)
      ? filled.map((branch) => ({ ...branch, fill: { kind: 'zero' as const } }))
      : filled
    return planColumn(column, index, own, keepsOverflows)
  })
  const means = plans.flatMap((plan) => plan.means)
  const values = columns.map((_, index) => `v${index}`)

  const noValues = columns.map(({ type }) => `CAST(NULL AS ${clickhouseType(type)})`)
  const noMeans = means.map(({ name }) => `CAST(NULL AS Nullable(Float64)) AS ${name}`)
  const own = unionOf(filled)
  const points = `SELECT ${['place', 'sid', 'ts', 'age', ...values, ...noMeans].join(', ')} FROM (${own})`
  const gaps = `SELECT ${['place', 'sid', 'ts', 'toInt64(0)', ...noValues, ...noMeans].join(', ')}
    FROM (SELECT DISTINCT place, sid FROM (${own})) AS series CROSS JOIN (SELECT DISTINCT ts FROM (${moments ?? unionOf(branches)})) AS moments`
  const meanRows = means.map(({ value, points }, index) => {
    const mean = `avg(${value}) OVER (PARTITION BY place, sid ORDER BY ts ROWS BETWEEN ${quoteInteger(points - 1)} PRECEDING AND CURRENT ROW)`
    return `SELECT ${['place', 'sid', 'ts', 'toInt64(0)', ...noValues, ...noMeans.with(index, mean)].join(', ')} FROM (${own}) WHERE isNotNull(${value})`
  })

  const backwards = plans.flatMap((plan) => plan.backwards)
  const walked = `SELECT ${['*', 'lagInFrame(toNullable(ts)) OVER one AS momentBefore', ...plans.flatMap((plan) => plan.forwards), ...backwards].join(', ')}
    FROM (${[points, gaps, ...meanRows].join(' UNION ALL ')})
    WINDOW one AS (PARTITION BY place, sid ORDER BY ts, age ROWS BETWEEN 1 PRECEDING AND CURRENT ROW),
      forwards AS (PARTITION BY place, sid ORDER BY ts, age ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      ${backwards.length > 0 ? ', backwards AS (PARTITION BY place, sid ORDER BY ts DESC, age ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)' : ''}`
  // At a timestamp the point comes first; what else is there brought its mean and may go.
  const rows = `SELECT ${['place', 'sid', 'ts', 'age', ...plans.map(({ result }, index) => `${result} AS f${index}`)].join(', ')}
    FROM (${walked}) WHERE age != 0 OR ifNull(momentBefore != ts, 1)`
  const hasValue = columns.map((_, index) => `isNotNull(f${index})`).join(' OR ') || '0'
  const answer = `SELECT ${['place', 'sid', 'ts', 'age', ...columns.map((_, index) => `f${index} AS v${index}`)].join(', ')} FROM (${rows}) WHERE ${hasValue}`
  if (others.length === 0) return answer
  return `${answer} UNION ALL SELECT ${['place', 'sid', 'ts', 'age', ...values].join(', ')} FROM (${unionOf(others)})`
}

/** How the gaps of one column are filled. */
interface ColumnPlan {
  /** Columns of their own with the mean of some values up to a point. */
  means: { name: string; value: string; points: number }[]
  /** What is carried along on the way forwards and on the way back. */
  forwards: string[]
  backwards: string[]
  /** The value of the row, filled. */
  result: string
}

function planColumn(
  { type }: AnswerColumn,
  index: number,
  branches: readonly FillBranch[],
  keepsOverflows: boolean,
): ColumnPlan {
  const places = new Map<string, { fill: Fill; places: number[] }>()
  for (const { place, isAsked, fill } of branches) {
    if (!fill || !isAsked[index] || !canFill(type, fill)) continue
    const key = JSON.stringify(fill)
    if (!places.has(key)) places.set(key, { fill, places: [] })
    places.get(key)!.places.push(place)
  }
  const kinds = [...places.values()]
  const value = `v${index}`
  const plan: ColumnPlan = { means: [], forwards: [], backwards: [], result: value }
  if (kinds.length === 0) return plan

  const uses = (...wanted: Fill['kind'][]) => kinds.some(({ fill }) => wanted.includes(fill.kind))
  const last = (expression: string, name: string, window: 'forwards' | 'backwards') =>
    plan[window].push(`last_value(${expression}) IGNORE NULLS OVER ${window} AS ${name}`)
  const moment = `if(isNull(${value}), NULL, toUnixTimestamp64Milli(ts))`
  if (uses('previous', 'nearest', 'linear')) last(value, `before${index}`, 'forwards')
  if (uses('next', 'nearest', 'linear')) last(value, `after${index}`, 'backwards')
  const hasAge = kinds.some(({ fill }) => fill.kind === 'previous' && fill.maxAgeMs !== undefined)
  if (hasAge || uses('nearest', 'linear')) last(moment, `momentBefore${index}`, 'forwards')
  if (uses('nearest', 'linear')) last(moment, `momentAfter${index}`, 'backwards')
  for (const { fill } of kinds) {
    if (fill.kind !== 'average') continue
    const name = `mean${index}_${fill.points}`
    plan.means.push({ name, value, points: fill.points })
    last(name, `last_${name}`, 'forwards')
  }
  const cases = kinds.map(({ fill, places }) => {
    const filled = fillValue(fill, type, index)
    return `place IN (${places.join(', ')}), ${canOverflow(type, fill) && !keepsOverflows ? finiteSql(filled) : filled}`
  })
  plan.result = `coalesce(${value}, multiIf(${cases.join(', ')}, NULL))`
  return plan
}

function canFill(type: ValueType, { kind }: Fill): boolean {
  return isNumeric(type) || kind === 'previous' || kind === 'next' || kind === 'nearest'
}

function fillValue(fill: Fill, type: ValueType, index: number): string {
  const [before, after] = [`before${index}`, `after${index}`]
  const [momentBefore, momentAfter] = [`momentBefore${index}`, `momentAfter${index}`]
  const moment = 'toUnixTimestamp64Milli(ts)'
  const number = (expression: string) =>
    type === 'integer'
      ? `accurateCastOrNull(if(${expression} < 0, -floor(0.5 - ${expression}), floor(${expression} + 0.5)), 'Int64')`
      : expression
  switch (fill.kind) {
    case 'previous':
      if (fill.maxAgeMs === undefined) return before
      return `if(${moment} - ${momentBefore} <= ${quoteInteger(fill.maxAgeMs)}, ${before}, NULL)`
    case 'next':
      return after
    case 'nearest':
      return `multiIf(isNull(${before}), ${after}, isNull(${after}), ${before}, ${momentAfter} - ${moment} < ${moment} - ${momentBefore}, ${after}, ${before})`
    case 'linear': {
      const rise = `(toFloat64(${after}) - ${before})`
      const span = `nullIf(${momentAfter} - ${momentBefore}, 0)`
      const passed = `(${moment} - ${momentBefore})`
      const part = `${rise} * ${passed} / ${span}`
      // A large rise times milliseconds may be too much on the way to a part that is not.
      const isLarge = type === 'double'
      return number(
        `(toFloat64(${before}) + ${isLarge ? `ifNotFinite(${part}, ${rise} * (${passed} / ${span}))` : part})`,
      )
    }
    case 'zero':
      return type === 'integer' ? 'toInt64(0)' : 'toFloat64(0)'
    case 'average':
      return number(`last_mean${index}_${fill.points}`)
  }
}

function unionOf(branches: readonly FillBranch[]): string {
  return branches.map(({ sql }) => sql).join(' UNION ALL ')
}
