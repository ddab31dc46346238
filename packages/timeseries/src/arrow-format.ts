import type { ResultColumn, ResultFormatter } from './result-format.ts'
import { jsonColumnNames } from './column-names.ts'
import type { SeriesQuery } from './series-query.ts'
import type { ValueType } from './series-upload.ts'
import { uniqueNames } from './unique-names.ts'
import { insertTime, type ValueSql } from './value-sql.ts'

/** A column of an Arrow result. */
export interface ArrowColumn {
  /** Name of the column. */
  name: string
  /** SQL expression of its values. */
  sql: string
}

const arrowType = 'application/vnd.apache.arrow.stream'

/** Formats rows as Arrow columns. Their names are not sent to the engine. */
export function createArrowFormatter(
  query: SeriesQuery,
  columns: readonly ResultColumn[],
  values: ValueSql,
): ResultFormatter {
  const metadataColumns = query.metadataColumns ?? []
  const names = jsonColumnNames(query, columns)
  const columnsOf = (versionText?: string): ArrowColumn[] => [
    ...query.symbolKeys.map((name, index) => ({ name, sql: `label${index}` })),
    { name: 'Date', sql: zoned('ts') },
    ...columns.map(({ type }, index) => ({
      name: names[index]!,
      sql: arrowValue(values.number(`v${index}`, type), type),
    })),
    ...metadataColumns.map(({ name }, index) => ({
      name,
      sql: `nullIf(label${query.symbolKeys.length + index}, '')`,
    })),
    ...(query.versionTexts
      ? [{ name: query.versionTexts.name, sql: `nullIf(${versionText ?? `''`}, '')` }]
      : []),
    ...(query.corrections === 'history' ? [{ name: 'InsertTime', sql: zoned(insertTime) }] : []),
  ]
  return {
    contentType: arrowType,
    labels: (series) => [
      ...query.symbolKeys.map((_, index) => series.symbols[index] ?? ''),
      ...metadataColumns.map((_, index) => series.metadata?.[index] ?? ''),
    ],
    versionText: (text) => text,
    wrap: (rows, { versionText }) => arrowSql(columnsOf(versionText), rows),
    params: {},
    arrowNames: uniqueNames(columnsOf().map(({ name }) => name)),
  }
}

/** Builds a statement that returns columns as an Arrow stream without their final names: see joinArrowStreams. */
export function arrowSql(columns: readonly ArrowColumn[], rows: string): string {
  const selected = columns.map(({ sql }, index) => `${sql} AS column${index}`)
  return `SELECT ${selected.join(', ')} FROM (${rows}) FORMAT ArrowStream SETTINGS output_format_arrow_string_as_string = 1, output_format_arrow_compression_method = 'none'`
}

/** Returns SQL that converts a value to the type that Arrow needs. */
function arrowValue(value: string, type: ValueType): string {
  return type === 'date' ? zoned(value) : value
}

function zoned(instant: string): string {
  return `toTimeZone(${instant}, {zone:String})`
}
