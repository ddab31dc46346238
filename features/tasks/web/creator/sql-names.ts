import { parseJson } from '@headwater/contract'
import { CsvError, findSeparator, parseCsv } from '@headwater/csv'
import type { SqlNames } from '@headwater/editors/web'
import { z } from 'zod'
import { valueOf, type TaskParam, type ValueType } from '../../contract/index.ts'
import { parseObjectValue, seriesValue } from '../../core/index.ts'

/** SQL types of parameter values. Default: String. */
const sqlTypes: Partial<Record<ValueType, string>> = {
  NUMBER: 'Float64',
  BOOLEAN: 'Bool',
  DATE: 'Date32',
  DATE_TIME: 'DateTime64(3)',
  LIST: 'Array(String)',
}
const dataKeys = z.object({
  keys: z.array(
    z.looseObject({
      symbols: z.record(z.string(), z.unknown()).optional().catch(undefined),
      columns: z.array(z.string()).optional().catch(undefined),
    }),
  ),
})

type SqlParam = Pick<TaskParam, 'name' | 'type' | 'valueType' | 'value' | 'defaultValue'>

/**
 * Returns the names that the SELECT of a task can use.
 * @param params the task's own parameters
 * @param columnsOfFile returns the columns of a file by its id, as far as they are known
 */
export function sqlNamesOf(
  params: readonly SqlParam[],
  columnsOfFile: (id: string) => readonly string[],
): SqlNames {
  const tables: Record<string, readonly string[]> = {}
  const values: string[] = []
  for (const param of params) {
    const name = param.name.trim()
    if (param.type !== 'INPUT' || name === '') continue
    const columns = columnsOf(param, columnsOfFile)
    if (columns !== undefined) tables[name] = columns
    else if (/^[A-Za-z_]\w*$/.test(name)) values.push(`{${name}:${sqlTypes[param.valueType] ?? 'String'}}`)
  }
  return { tables, values }
}

/** Returns the ids of the files that are tables. */
export function fileIdsOf(params: readonly SqlParam[]): string[] {
  return params.flatMap((param) => fileIdOf(param) ?? [])
}

/** Returns the columns of a table; undefined for a value. */
function columnsOf(
  param: SqlParam,
  columnsOfFile: (id: string) => readonly string[],
): readonly string[] | undefined {
  const json = parseJson(valueOf(param))
  if (param.valueType === 'FILE') {
    const id = fileIdOf(param)
    return id === undefined ? [] : columnsOfFile(id)
  }
  if (param.valueType === 'SERIES') {
    const series = seriesValue.safeParse(json).data
    return series === undefined ? [] : [...Object.keys(series.symbols), 'Date', series.column]
  }
  const query = param.valueType === 'JSON' ? dataKeys.safeParse(json).data : undefined
  if (query === undefined) return undefined
  const symbols = query.keys.flatMap((key) => Object.keys(key.symbols ?? {}))
  const columns = query.keys.flatMap((key) => key.columns ?? [])
  return [...new Set([...symbols, 'Date', ...columns])]
}

function fileIdOf(param: SqlParam): string | undefined {
  return param.valueType === 'FILE' ? parseObjectValue(valueOf(param))?.id : undefined
}

/** Returns the columns of a CSV or JSON Lines file from the beginning of its content; none for other formats. */
export function columnsInBeginning(text: string): string[] {
  const plain = text.replace(/^\uFEFF/, '')
  const [line = ''] = plain.split(/\r?\n/, 1)
  if (line.startsWith('{')) {
    const object = parseJson(line)
    return typeof object === 'object' && object !== null ? Object.keys(object) : []
  }
  if (line.startsWith('[') || line.startsWith('PAR1') || line.startsWith('PK')) return []
  try {
    return parseCsv(line, { separator: findSeparator(line, true) })[0] ?? []
  } catch (error) {
    if (error instanceof CsvError) return []
    throw error
  }
}
