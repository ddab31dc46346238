import { withDecimalPoints, type NumberTexts } from './decimal-points.ts'
import { withIsoDates, type DateTexts } from './iso-dates.ts'
import type { TableRow } from './table.ts'

/** Date and number formats of a table. */
export interface ValueTexts extends NumberTexts, DateTexts {}

/**
 * Yields the rows with dates in ISO 8601 and numbers with decimal points.
 * @param rows begin with the header
 * @throws TableError for text in a date column that is not a date
 */
export function withPlainValues(rows: AsyncIterable<TableRow>, texts: ValueTexts): AsyncIterable<TableRow> {
  const { dateFormat, decimalSign } = texts
  const dated = dateFormat === undefined ? rows : withIsoDates(rows, { ...texts, dateFormat })
  return decimalSign === ',' ? withDecimalPoints(dated, texts) : dated
}
