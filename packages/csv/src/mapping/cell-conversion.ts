import { formatLocalDate, parseDate } from '../date-format.ts'
import { toNumberText, type DecimalSign } from '../decimal-sign.ts'
import type { ColumnConfiguration } from './csv-mapping.ts'

/** Returns the clock of a time zone that converts local time to UTC milliseconds. */
export type ZoneClocks = (timezone: string) => { toUtc(localMs: number): number }

/** Converts cells of a column to NCSV. */
export interface CellConversion {
  /** Returns the converted cell; undefined for a cell that does not fit the column. */
  convert: (text: string) => string | undefined
  /** What the cells must be, such as `a number`. */
  expected: string
}

/** Converts the cells of the date column. Each row needs a date. */
export function dateConversion(dateFormat: string): CellConversion {
  return {
    convert: (text) => {
      const parsed = parseDate(dateFormat, text)
      return parsed && formatLocalDate(parsed)
    },
    expected: `a date in the format ${dateFormat}`,
  }
}

/** Converts the cells of a value or metadata column. An empty cell stays empty. */
export function valueConversion(
  clocks: ZoneClocks,
  { type, dateFormat = '', timezone = '' }: Pick<ColumnConfiguration, 'type' | 'dateFormat' | 'timezone'>,
  decimalSign: DecimalSign,
): CellConversion {
  switch (type) {
    case 'S':
      return { convert: (text) => text, expected: 'text' }
    case 'DB':
      return { convert: (text) => toNumberText(text, decimalSign), expected: 'a number' }
    case 'I':
      return {
        convert: (text) => {
          const number = toNumberText(text, decimalSign)
          return number !== undefined && /^[+-]?\d*$/.test(number) ? number : undefined
        },
        expected: 'a whole number',
      }
    case 'D': {
      const clock = clocks(timezone)
      return {
        convert: (text) => {
          if (text.trim() === '') return ''
          const parsed = parseDate(dateFormat, text)
          if (parsed === undefined) return undefined
          const { localMs, offsetMs } = parsed
          return new Date(offsetMs === undefined ? clock.toUtc(localMs) : localMs - offsetMs).toISOString()
        },
        expected: `a date in the format ${dateFormat}`,
      }
    }
  }
}
