export { CsvError, CsvReader, isEmptyLine, parseCsv } from './csv-reader.ts'
export type { CsvReaderOptions, ParseCsvOptions } from './csv-reader.ts'
export {
  dateExample,
  dateFormats,
  detectDateFormats,
  detectDateFormatsWithErrors,
  isDateFormat,
  parseDate,
} from './date-format.ts'
export type { LocalDate } from './date-format.ts'
export { detectDecimalSign, isDecimalSignAmbiguous, toNumberText } from './decimal-sign.ts'
export type { DecimalSign } from './decimal-sign.ts'
export { detectEncoding } from './encoding.ts'
export type { TextEncoding } from './encoding.ts'
export { FormulaEscaper } from './formula-escaper.ts'
export { escapeFormula, formatCsv, formatCsvCell, formatCsvRow } from './format-csv.ts'
export type { CsvCell, CsvDownloadOptions } from './format-csv.ts'
export { dateConversion, valueConversion } from './mapping/cell-conversion.ts'
export type { CellConversion, ZoneClocks } from './mapping/cell-conversion.ts'
export { CsvConverter } from './mapping/convert-csv.ts'
export type { ConverterOptions } from './mapping/convert-csv.ts'
export {
  columnNames,
  columnTypes,
  configuredHeader,
  fitsHeader,
  isConfigured,
  isDateName,
  problemOfNames,
  seriesName,
  valueTypes,
} from './mapping/csv-mapping.ts'
export type {
  ColumnConfiguration,
  ColumnType,
  CsvMapping,
  MappedColumn,
  ValueType,
} from './mapping/csv-mapping.ts'
export { findDateAmbiguity, readCsvSample, suggestImport } from './mapping/csv-sample.ts'
export type { CsvSample, DateAmbiguity, ImportSuggestion } from './mapping/csv-sample.ts'
export { suggestMapping } from './mapping/suggest-mapping.ts'
export type { MappingSample } from './mapping/suggest-mapping.ts'
export { CsvRowIndex } from './row-index.ts'
export { describeProblem, quoteForMessage } from './row-problem.ts'
export type { RowProblem } from './row-problem.ts'
export { findSeparator } from './separator.ts'
