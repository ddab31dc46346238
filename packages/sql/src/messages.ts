/** Format of the file of a table. CSV files are converted to Parquet first, which has types. */
export type TableFormat = 'Parquet' | 'JSON'

/** Request to the process that executes the SELECT. */
export interface SelectRequest {
  /** Text of the SELECT. */
  sql: string
  /** Tables, with the path of their file. */
  tables: readonly { name: string; path: string; format: TableFormat }[]
  /** Values of the parameters `{name:Type}`. */
  params: Readonly<Record<string, string | readonly string[]>>
  /** Format of the result. */
  format: 'CSV' | 'Parquet'
  /** Memory limit of the statement, in bytes. */
  memoryBytes: number
}

/** Report of the process that executes the SELECT. */
export type SelectReport =
  | { type: 'done' }
  /** The SELECT or a file cannot be used, with a sentence for users. */
  | { type: 'refused'; message: string }
  | { type: 'memoryLimit' }
