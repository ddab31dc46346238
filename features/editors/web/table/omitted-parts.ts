import type { TablePreview } from '@headwater/files/contract'
import { countOf, formatNumber } from '@headwater/web-kit'

/** Maximum number of omitted columns that are named. */
const maxNames = 20

/** Returns a sentence for each part of a table that its preview does not contain. */
export function omittedParts(
  {
    columns,
    columnCount,
    columnsWithoutText,
    rows,
    rowCount,
    isRowCountExact,
    hasCutTexts,
  }: Pick<
    TablePreview,
    'columns' | 'columnCount' | 'columnsWithoutText' | 'rows' | 'rowCount' | 'isRowCountExact' | 'hasCutTexts'
  >,
  maxCellLength: number,
): string[] {
  const parts: string[] = []
  if (rowCount > rows.length || !isRowCountExact)
    parts.push(
      `Displays the first ${formatNumber(rows.length)} of ${isRowCountExact ? '' : 'at least '}${countOf(rowCount, 'row')}.`,
    )
  if (columnCount > columns.length + columnsWithoutText.length)
    parts.push(`Displays the first ${formatNumber(columns.length)} of ${countOf(columnCount, 'column')}.`)
  if (columnsWithoutText.length > 0) {
    const names = columnsWithoutText.slice(0, maxNames).map(({ name, type }) => `${name} (${type})`)
    const more = columnsWithoutText.length - names.length
    parts.push(
      `Columns without text values are not displayed: ${names.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}.`,
    )
  }
  if (hasCutTexts) parts.push(`Displays the first ${maxCellLength} characters of long values.`)
  return parts
}
