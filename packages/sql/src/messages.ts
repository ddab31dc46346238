/** Format of the file of a table. Callers convert CSV files to Parquet first, because Parquet has types. */
export type TableFormat = 'Parquet' | 'JSON'

/** Request to the process. */
export type SelectRequest = CheckRequest | ExecuteRequest

/** Request to check the syntax of a SELECT and whether it uses only what is allowed, without its tables. */
export interface CheckRequest {
  type: 'check'
  /** Text of the SELECT. */
  sql: string
  /** Memory limit of the statement, in bytes. */
  memoryBytes: number
}

/** Request to execute a SELECT. */
export interface ExecuteRequest {
  type: 'execute'
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
  /** Maximum number of rows of the result. */
  maxRows: number
}

/** Report of the process that executes the SELECT. */
export type SelectReport =
  /** `isCut`: whether the SELECT has more rows than the result. */
  | { type: 'done'; isCut: boolean }
  /** The SELECT or a file cannot be used. The message is a sentence for users. */
  | { type: 'refused'; message: string }
  | { type: 'memoryLimit' }
