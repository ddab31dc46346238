import type { RoundingMode } from './series-query.ts'
import type { ValueType } from './series-upload.ts'
import { isOldSql, oldLocalSql } from './old-offsets.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import { quoteInteger } from './sql-text.ts'
import type { ZonedQuery } from './time-zones.ts'

/**
 * Formats values inside the engine. Zone and pattern are the parameters `zone`, `pattern` and `zonedPattern` of the
 * statement.
 */
export interface ValueSql {
  /**
   * Returns SQL that formats a timestamp. `milliseconds` is SQL that is false if none of the timestamps has milliseconds.
   */
  timestamp(expression: string, milliseconds?: string): string
  /** Returns the text of `timestamp` as a cell of NCSV. */
  timestampCell(text: string): string
  /** Returns the text of `timestamp` as JSON, in parts for a `concat`. */
  timestampJson(text: string): string[]
  /** Returns the value, rounded if it is a double. */
  number(expression: string, type: ValueType): string
  /** Returns the value as a cell of NCSV: NULL for none. */
  cell(expression: string, type: ValueType): string
  /** Returns the value as JSON; `null` if there is none. Dates are texts or UTC milliseconds. */
  json(expression: string, type: ValueType, dates: 'text' | 'milliseconds'): string
}

/** SQL that returns the insertion time of a row. */
export const insertTime = `fromUnixTimestamp64Milli(intDiv(-age, 1000), 'UTC')`

/**
 * Creates the formatter of values.
 * @throws SeriesEngineError `invalid` for a precision outside 0 to 15, and for an unsupported date pattern
 */
export function createValueSql({
  dateFormat,
  decimalPrecision,
  roundingMode,
  oldOffsets,
}: ZonedQuery): ValueSql {
  if (dateFormat !== undefined) checkDatePattern(dateFormat)
  // Only a literal of the pattern can contain characters that need escaping. Checking every row would take time.
  const isPlain = dateFormat === undefined || plainPattern.test(dateFormat)
  const round = createRounding(decimalPrecision, roundingMode)
  const inZone = (write: InstantText) => (expression: string, milliseconds?: string) => {
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

/** Builds SQL that formats an instant. `milliseconds` is SQL that is false if none of the instants has milliseconds. */
type InstantText = (expression: string, clock: ClockParams, milliseconds?: string) => string

/** SQL of the zone and the date pattern. */
interface ClockParams {
  zone: string
  pattern: string
}

const inZoneOfQuery: ClockParams = { zone: '{zone:String}', pattern: '{pattern:String}' }
const alreadyLocal: ClockParams = { zone: `'UTC'`, pattern: '{zonedPattern:String}' }

/** Returns SQL that formats the local time, with milliseconds only if there are any. */
function isoTimestamp(expression: string, { zone }: ClockParams, milliseconds = '1'): string {
  const seconds = `formatDateTime(${expression}, '%Y-%m-%dT%H:%i:%S', ${zone})`
  const precise = `if(toUnixTimestamp64Milli(${expression}) % 1000 = 0, ${seconds}, formatDateTime(${expression}, '%Y-%m-%dT%H:%i:%S.%f', ${zone}))`
  return milliseconds === '1' ? precise : `if(${milliseconds}, ${precise}, ${seconds})`
}

function patternTimestamp(expression: string, { zone, pattern }: ClockParams): string {
  return `formatDateTimeInJodaSyntax(${expression}, ${pattern}, ${zone})`
}

/** Replaces the zone name in a date pattern by the name of the zone. */
export function withZoneName(pattern: string, timeZone: string): string {
  return pattern.replaceAll(/'[^']*'|z+/g, (part) => (part.startsWith("'") ? part : `'${timeZone}'`))
}

/** Letters, digits, quotes and marks that need no escaping in NCSV or JSON, without a leading or trailing blank. */
const plainPattern = /^(?!'* )[A-Za-z0-9 '.:;/_|()+-]*(?<! '*)$/
const longestPattern = 100
/** Pattern characters that the engine and Java interpret in the same way. */
const patternCharacters = 'GyYMwDdEaHkKhmsSz'

/**
 * Checks a date pattern.
 * @throws SeriesEngineError `invalid` for an unsupported pattern
 */
export function checkDatePattern(pattern: string): void {
  const refuse = (what: string): never => {
    throw new SeriesEngineError('invalid', `The dateFormat “${pattern.slice(0, longestPattern)}” ${what}`)
  }
  if (pattern.length > longestPattern)
    refuse(`has ${pattern.length} characters; at most ${longestPattern} are allowed.`)
  const outside = pattern.replaceAll(/'[^']*'/g, ' ')
  if (outside.includes("'")) refuse("opens a ' that is not closed. Write a single ' as ''.")
  const character = /[A-Za-z]/g.exec(outside.replaceAll(new RegExp(`[${patternCharacters}]`, 'g'), ''))?.[0]
  if (character !== undefined)
    refuse(
      `has the letter ${character}, which is not supported; allowed are ${patternCharacters.split('').join(', ')}. Put text between '.`,
    )
  if (/(?<!z)z{1,3}(?!z)/.test(outside))
    refuse('contains a short zone name, which is not supported; zzzz writes its full name.')
}

function cellOfText(expression: string): string {
  return `if(multiSearchAny(${expression}, ['"', ',', '\\n', '\\r']) OR match(${expression}, '^\\\\s|\\\\s$'),
    concat('"', replaceAll(${expression}, '"', '""'), '"'), ${expression})`
}

/**
 * Rounds by decimal digits, not by binary fractions: 1.005 becomes 1.01 with two decimals, because “1.005” is its shortest
 * text. Numbers without decimals (from 2^52 on) are unchanged.
 */
function createRounding(
  precision: number | undefined,
  mode: RoundingMode = 'HALF_UP',
): (expression: string) => string {
  if (precision === undefined) return (expression) => expression
  if (!Number.isInteger(precision) || precision < 0 || precision > 15) {
    throw new SeriesEngineError(
      'invalid',
      `decimalPrecision is ${precision}; it must be a whole number from 0 to 15.`,
    )
  }
  const decimals = quoteInteger(precision)
  return (expression) => {
    const text = `toString(${expression})`
    // Further digits are truncated, which does not affect these two modes.
    const decimal =
      mode === 'HALF_UP' || mode === 'DOWN'
        ? `toDecimal128OrNull(${text}, 18)`
        : `toDecimal256OrNull(${text}, 40)`
    // Converts via text, because the direct conversion of a wide decimal is inexact in the last place.
    const plain = `toFloat64OrNull(toString(${roundDecimal(decimal, decimals, mode)}))`
    const tiny = roundTiny(expression, precision, mode)
    const rounded = tiny === undefined ? plain : `if(abs(${expression}) < 1e-39, ${tiny}, ${plain})`
    return `if(abs(${expression}) < 4503599627370496, ${rounded}, ${expression})`
  }
}

/** Returns the rounded value of a number close to 0; undefined for modes that treat it like any other number. */
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

function roundDecimal(decimal: string, decimals: string, mode: RoundingMode): string {
  switch (mode) {
    case 'HALF_UP':
      return `round(${decimal}, ${decimals})`
    case 'HALF_EVEN':
      return `roundBankers(${decimal}, ${decimals})`
    case 'DOWN':
      return `trunc(${decimal}, ${decimals})`
    case 'FLOOR':
      return `floor(${decimal}, ${decimals})`
    case 'CEILING':
      return `ceil(${decimal}, ${decimals})`
    case 'UP':
      return `if(${decimal} >= 0, ceil(${decimal}, ${decimals}), floor(${decimal}, ${decimals}))`
  }
}
