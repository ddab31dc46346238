import type { RoundingMode, ValueType } from './series-engine.ts'
import { isOldSql, oldLocalSql } from './old-offsets.ts'
import { SeriesEngineError } from './series-engine.ts'
import { quoteInteger } from './sql-text.ts'
import type { ZonedQuery } from './time-zones.ts'

/** How values become text, all inside the engine. Zone and pattern stay parameters `zone`, `pattern` and `zonedPattern` of the statement. */
export interface ValueSql {
  /** Text of a timestamp. `milliseconds` is SQL that is false if none of the timestamps has milliseconds. */
  timestamp(expression: string, milliseconds?: string): string
  /** What `timestamp` gives as a cell of NCSV. */
  timestampCell(text: string): string
  /** What `timestamp` gives as JSON text, in parts for a `concat`. */
  timestampJson(text: string): string[]
  /** Value as it is, rounded if it is a double. */
  number(expression: string, type: ValueType): string
  /** Value as a cell of NCSV: NULL where there is none. */
  cell(expression: string, type: ValueType): string
  /** Value as JSON text, `null` where there is none. Dates as text, or as UTC milliseconds. */
  json(expression: string, type: ValueType, dates: 'text' | 'milliseconds'): string
}

/** SQL of the instant at which a row was inserted. */
export const insertTime = `fromUnixTimestamp64Milli(intDiv(-age, 1000), 'UTC')`

/** @throws SeriesEngineError `invalid` for a precision outside 0 to 15, and for a date pattern that cannot be written. */
export function createValueSql({
  dateFormat,
  decimalPrecision,
  roundingMode,
  oldOffsets,
}: ZonedQuery): ValueSql {
  if (dateFormat !== undefined) checkDatePattern(dateFormat)
  // Only a literal of the pattern can bring such characters; to look for them in every row costs time.
  const isPlain = dateFormat === undefined || plainPattern.test(dateFormat)
  const round = createRounding(decimalPrecision, roundingMode)
  const inZone = (write: MomentText) => (expression: string, milliseconds?: string) => {
    const text = write(expression, inZoneOfQuery, milliseconds)
    if (oldOffsets === undefined) return text
    const oldText = write(oldLocalSql(expression, oldOffsets), alreadyLocal, milliseconds)
    return `if(${isOldSql(expression, oldOffsets)}, ${oldText}, ${text})`
  }
  const date = inZone(isoTimestamp)
  const timestamp = dateFormat === undefined ? date : inZone(patternTimestamp)
  const number = (expression: string, type: ValueType) => (type === 'double' ? round(expression) : expression)
  return {
    timestamp,
    number,
    timestampCell: (text) => (isPlain ? text : cellOfText(text)),
    timestampJson: (text) => (isPlain ? [`'"'`, text, `'"'`] : [`toJSONString(${text})`]),
    cell(expression, type) {
      if (type === 'string') return cellOfText(expression)
      if (type === 'date') return date(expression)
      return number(expression, type)
    },
    json(expression, type, dates) {
      if (type === 'string') return `ifNull(toJSONString(${expression}), 'null')`
      if (type !== 'date') return `ifNull(toString(${number(expression, type)}), 'null')`
      const text =
        dates === 'text'
          ? `concat('"', ${date(expression)}, '"')`
          : `toString(toUnixTimestamp64Milli(${expression}))`
      return `ifNull(${text}, 'null')`
    },
  }
}

/** SQL of a moment as text. `milliseconds` is SQL that is false if none of the moments has milliseconds. */
type MomentText = (expression: string, clock: ClockParams, milliseconds?: string) => string

/** What stands for the zone and the date pattern. */
interface ClockParams {
  zone: string
  pattern: string
}

const inZoneOfQuery: ClockParams = { zone: '{zone:String}', pattern: '{pattern:String}' }
const alreadyLocal: ClockParams = { zone: `'UTC'`, pattern: '{zonedPattern:String}' }

/** Wall-clock time of the zone; milliseconds only where there are some. */
function isoTimestamp(expression: string, { zone }: ClockParams, milliseconds = '1'): string {
  const seconds = `formatDateTime(${expression}, '%Y-%m-%dT%H:%i:%S', ${zone})`
  const precise = `if(toUnixTimestamp64Milli(${expression}) % 1000 = 0, ${seconds}, formatDateTime(${expression}, '%Y-%m-%dT%H:%i:%S.%f', ${zone}))`
  return milliseconds === '1' ? precise : `if(${milliseconds}, ${precise}, ${seconds})`
}

function patternTimestamp(expression: string, { zone, pattern }: ClockParams): string {
  return `formatDateTimeInJodaSyntax(${expression}, ${pattern}, ${zone})`
}

/** A date pattern with the name of the zone in place of its letters. */
export function withZoneName(pattern: string, timeZone: string): string {
  return pattern.replaceAll(/'[^']*'|z+/g, (part) => (part.startsWith("'") ? part : `'${timeZone}'`))
}

/** Letters, digits, quotes and marks that need no escaping in NCSV or JSON, with no blank at an end. */
const plainPattern = /^(?!'* )[A-Za-z0-9 '.:;/_|()+-]*(?<! '*)$/
const longestPattern = 100
/** Of the letters of Java those that the engine writes in the same sense. */
const patternLetters = 'GyYMwDdEaHkKhmsSz'

/** @throws SeriesEngineError `invalid` for a date pattern that cannot be written. */
export function checkDatePattern(pattern: string): void {
  const refuse = (what: string): never => {
    throw new SeriesEngineError('invalid', `The dateFormat “${pattern.slice(0, longestPattern)}” ${what}`)
  }
  if (pattern.length > longestPattern)
    refuse(`has ${pattern.length} characters; at most ${longestPattern} are allowed.`)
  const outside = pattern.replaceAll(/'[^']*'/g, ' ')
  if (outside.includes("'")) refuse("opens a ' that is not closed. Write a single ' as ''.")
  const letter = /[A-Za-z]/g.exec(outside.replaceAll(new RegExp(`[${patternLetters}]`, 'g'), ''))?.[0]
  if (letter !== undefined)
    refuse(
      `has the letter ${letter}, which is not supported; allowed are ${patternLetters.split('').join(', ')}. Put text between '.`,
    )
  if (/(?<!z)z{1,3}(?!z)/.test(outside))
    refuse('asks for a short name of the zone, which is not supported; zzzz writes its full name.')
}

function cellOfText(expression: string): string {
  return `if(multiSearchAny(${expression}, ['"', ',', '\\n', '\\r']) OR match(${expression}, '^\\\\s|\\\\s$'),
    concat('"', replaceAll(${expression}, '"', '""'), '"'), ${expression})`
}

/**
 * Rounds as decimals do, not as binary fractions: 1.005 to two places is 1.01, as its shortest text says. Numbers that have no
 * such decimals (from 2^52 on) stay as they are.
 */
export function createRounding(
  precision: number | undefined,
  mode: RoundingMode = 'HALF_UP',
): (expression: string) => string {
  if (precision === undefined) return (expression) => expression
  if (!Number.isInteger(precision) || precision < 0 || precision > 15) {
    throw new SeriesEngineError(
      'invalid',
      `decimalPrecision is ${precision}; allowed are whole numbers from 0 to 15.`,
    )
  }
  const places = quoteInteger(precision)
  return (expression) => {
    const text = `toString(${expression})`
    // Digits beyond the last one are cut off, which these two modes do not mind.
    const decimal =
      mode === 'HALF_UP' || mode === 'DOWN'
        ? `toDecimal128OrNull(${text}, 18)`
        : `toDecimal256OrNull(${text}, 40)`
    // By way of its text: the direct conversion of a wide decimal is off by some units in the last place.
    const plain = `toFloat64OrNull(toString(${roundDecimal(decimal, places, mode)}))`
    const tiny = roundTiny(expression, precision, mode)
    const rounded = tiny === undefined ? plain : `if(abs(${expression}) < 1e-39, ${tiny}, ${plain})`
    return `if(abs(${expression}) < 4503599627370496, ${rounded}, ${expression})`
  }
}

/** What a number that is next to 0 is rounded to; undefined for modes that make 0 of it as of others. */
function roundTiny(expression: string, precision: number, mode: RoundingMode): string | undefined {
  const unit = `1e-${quoteInteger(precision)}`
  switch (mode) {
    case 'UP':
      return `sign(${expression}) * ${unit}`
    case 'CEILING':
      return `if(${expression} > 0, ${unit}, 0.)`
    case 'FLOOR':
      return `if(${expression} < 0, -${unit}, 0.)`
    default:
      return undefined
  }
}

function roundDecimal(decimal: string, places: string, mode: RoundingMode): string {
  switch (mode) {
    case 'HALF_UP':
      return `round(${decimal}, ${places})`
    case 'HALF_EVEN':
      return `roundBankers(${decimal}, ${places})`
    case 'DOWN':
      return `trunc(${decimal}, ${places})`
    case 'FLOOR':
      return `floor(${decimal}, ${places})`
    case 'CEILING':
      return `ceil(${decimal}, ${places})`
    case 'UP':
      return `if(${decimal} >= 0, ceil(${decimal}, ${places}), floor(${decimal}, ${places}))`
  }
}
