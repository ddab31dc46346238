export { checkSelect, runSelect, SelectError } from './run-select.ts'
export type { ProgramRunner, SelectRun } from './run-select.ts'
export { problemOfTableName } from './table-name.ts'
export type { TableFormat } from './messages.ts'
