import { formatLocalDate, parseDate } from '../date-format.ts'
import { toNumberText, type DecimalSign } from '../decimal-sign.ts'
import type { ColumnConfiguration } from './csv-mapping.ts'

/** Returns an object that converts local times of a time zone to UTC milliseconds. */
export type ZoneClocks = (timezone: string) => { toUtc(localMs: number): number }

/** Converts cells of a column to NCSV. */
export interface CellConversion {
  /** Returns the converted cell; undefined for an invalid cell. */
  convert: (text: string) => string | undefined
  /** Description of valid cells, such as `a number`. */
  expected: string
}

/** Returns the conversion of the date column. Each row needs a date. */
export function dateConversion(dateFormat: string): CellConversion {
  return {
    convert: (text) => {
      const parsed = parseDate(dateFormat, text)
      return parsed && formatLocalDate(parsed)
    },
    expected: `a date in the format ${dateFormat}`,
  }
}

/** Returns the conversion of a value or metadata column. Empty cells remain empty. */
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
