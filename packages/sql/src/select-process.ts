import { readFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { Session } from 'chdb'
import { isSingleSelect, problemOfSelect, type AllowedFunctions } from './check-select.ts'
import { cutCsv, cutParquet } from './cut-result.ts'
import { describeError, isMemoryError } from './engine-errors.ts'
import type { SelectReport, SelectRequest } from './messages.ts'

// Entry point of the process that executes one SELECT in a sandbox. The result is a file.

const descriptors = { report: 8, lifeline: 9, request: 10 }
const resultPath = '/run/output/result'
const dataFolder = '/tmp/engine'
/** Categories of functions that depend only on their arguments. */
const categories = [
  'Arithmetic',
  'Arrays',
  'Bit',
  'Bitmap',
  'Comparison',
  'Conditional',
  'Dates and Times',
  'Distance',
  'Encoding',
  'Financial',
  'Geo',
  'Geo Polygon',
  'Hash',
  'IP Address',
  'JSON',
  'Logical',
  'Map',
  'Mathematical',
  'Null',
  'NumericIndexedVector',
  'Random Number',
  'Rounding',
  'String',
  'String Replacement',
  'String Search',
  'String Splitting',
  'Time Series',
  'Time Window',
  'Tuple',
  'Type Conversion',
  'URL',
  'UUID',
]
/**
 * Other functions that depend only on their arguments. Their categories also contain functions that read the state of the
 * engine.
 */
const furtherFunctions = [
  'bar',
  'byteSize',
  'countDigits',
  'formatReadableDecimalSize',
  'formatReadableQuantity',
  'formatReadableSize',
  'formatReadableTimeDelta',
  'identity',
  'ignore',
  'materialize',
  'neighbor',
  'parseReadableSize',
  'parseReadableSizeOrNull',
  'parseReadableSizeOrZero',
  'parseTimeDelta',
  'rowNumberInAllBlocks',
  'runningDifference',
  'toColumnTypeName',
  'toTypeName',
  'transform',
]
/** Functions in the allowed categories that read or write the state of the engine. */
const refusedFunctions = ['generateSerialID', 'serverTimezone']

process.on('SIGINT', () => {})
writeSync(descriptors.report, 'started\n')
const request = JSON.parse(readFileSync(descriptors.request, 'utf8')) as SelectRequest
// The server process has exited. This process replaces itself with another program, because its own exit would wait for
// threads of the engine.
new Socket({ fd: descriptors.lifeline }).on('close', () => process.execve!('/bin/false', ['false'])).resume()
const report = await run(request)
writeSync(descriptors.report, JSON.stringify(report))
process.exit(0)

async function run(request: SelectRequest): Promise<SelectReport> {
  const { sql, memoryBytes } = request
  const { tables, params } = request.type === 'execute' ? request : { tables: [], params: {} }
  const tableNames = tables.map(({ name }) => name)
  let loading: string | undefined
  try {
    const session = new Session(dataFolder)
    const functions = readFunctions(session)
    for (const [name, value] of Object.entries(settingsOf(memoryBytes)))
      session.query(`SET ${name} = ${typeof value === 'string' ? `'${value}'` : value}`)
    for (const { name, path, format: source } of tables) {
      loading = name
      const engine = source === 'JSON' ? 'JSONEachRow' : source
      await session.queryAsync(`CREATE TABLE ${quoted(name)} ENGINE = File(${engine}, '${path}')`)
    }
    loading = undefined
    const plain = (
      await session.queryBindAsync('SELECT formatQuery({sql:String})', { sql }, { format: 'TSVRaw' })
    ).text()
    const explained = request.type === 'check' ? withoutValues(plain) : plain
    const tree = (
      await session.queryBindAsync(`EXPLAIN AST ${explained}`, params, { format: 'TSVRaw' })
    ).text()
    const problem = problemOfSelect({ tree, formatted: plain }, sql, functions)
    if (problem !== undefined) return { type: 'refused', message: problem }
    if (request.type === 'check') return { type: 'done', isCut: false }
    const { format, maxRows } = request
    // In a union, this setting would limit each of its parts.
    if (isSingleSelect(tree)) session.query(`SET limit = ${maxRows + 1}`)
    session.query('SET readonly = 1')
    const target = `INTO OUTFILE '${resultPath}' FORMAT ${format === 'CSV' ? 'CSVWithNames' : 'Parquet'}`
    // The engine has parsed this text: it is one SELECT without these clauses and without comments.
    await session.queryBindAsync(`${plain.trimEnd()}\n${target}`, params)
    if (format === 'CSV') return { type: 'done', isCut: cutCsv(resultPath, maxRows) }
    session.cleanup()
    const isCut = cutParquet(resultPath, maxRows, { folder: `${dataFolder}-cut`, memoryBytes })
    return { type: 'done', isCut }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (isMemoryError(message)) return { type: 'memoryLimit' }
    const text = describeError(message, sql, tableNames)
    return {
      type: 'refused',
      message: loading === undefined ? text : `The file of the table “${loading}” cannot be read. ${text}`,
    }
  }
}

/**
 * Replaces the parameters `{name:Type}`, because a check has no values for them. `plain` is the statement as the engine
 * formats it, without comments.
 */
function withoutValues(plain: string): string {
  return plain.replaceAll(
    /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\{\w+\s*:\s*([^}]*)\}/g,
    (text, type: string | undefined) =>
      type === undefined ? text : type.trim() === 'Identifier' ? '_' : '1',
  )
}

/** Settings of the statement. Read-only mode, set before its execution, prevents changes to them. */
function settingsOf(memoryBytes: number): Record<string, number | string> {
  return {
    max_memory_usage: memoryBytes,
    max_threads: Math.min(4, availableParallelism()),
    max_bytes_before_external_sort: 0,
    max_bytes_before_external_group_by: 0,
    max_bytes_ratio_before_external_sort: 0,
    max_bytes_ratio_before_external_group_by: 0,
    // Compiled expressions ignore the sign of timestamps before 1970 in comparisons.
    compile_expressions: 0,
    compile_aggregate_expressions: 0,
    compile_sort_description: 0,
    session_timezone: 'UTC',
    date_time_output_format: 'iso',
    format_csv_null_representation: '',
    input_format_max_rows_to_read_for_schema_inference: 1_000_000_000,
    input_format_max_bytes_to_read_for_schema_inference: 10_000_000_000,
    input_format_json_try_infer_numbers_from_strings: 0,
    allow_introspection_functions: 0,
  }
}

function readFunctions(session: Session): AllowedFunctions {
  const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
  const select = (condition: string) => {
    const text = String(
      session.query(
        `SELECT lower(f.name) FROM system.functions f LEFT JOIN system.functions t ON f.alias_to = t.name WHERE ${condition}`,
        'TSVRaw',
      ),
    )
    return new Set(text.split('\n').filter((name) => name !== ''))
  }
  const target = "if(f.alias_to = '', f.name, f.alias_to)"
  const category = "if(f.alias_to = '', f.categories, t.categories)"
  return {
    plain: select(
      `f.is_aggregate = 0 AND (${category} IN (${list(categories)}) OR ${target} IN (${list(furtherFunctions)})) AND ${target} NOT IN (${list(refusedFunctions)})`,
    ),
    aggregate: select('f.is_aggregate = 1'),
  }
}

function quoted(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``
}
