export { CsvError, CsvReader, isEmptyLine, parseCsv } from './csv-reader.ts'
export type { CsvReaderOptions, ParseCsvOptions } from './csv-reader.ts'
export { escapeFormula, formatCsv, formatCsvCell, formatCsvRow, type CsvCell } from './format-csv.ts'
export { findSeparator } from './separator.ts'
