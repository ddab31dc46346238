import { Readable } from 'node:stream'
import { countOf, formatFileSize, formatNumber } from '@headwater/contract'
import { CsvError } from '@headwater/csv'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { NotStartedError, type Sandbox, type SandboxAvailability } from '@headwater/sandbox'
import { checkSelect, runSelect, SelectError, type SelectRun } from '@headwater/sql'
import { stoppedMessage } from '@headwater/statuses/contract'
import { TableError } from '@headwater/tables'
import type { TaskKind, TestOutcome, TestWork } from '../task-kinds.ts'
import {
  failed,
  input,
  libraryKind,
  output,
  safeFileName,
  storeContent,
  storedOutcome,
  type LibraryFiles,
} from './kind-parts.ts'
import type { SeriesQueries } from './query-series.ts'
import { FirstRows, testLimits } from './first-rows.ts'
import { openTables, problemOfTables, sqlInputs } from './sql-tables.ts'

const mib = 1024 * 1024
const limits = {
  sqlLength: 100_000,
  tables: 50,
  inputBytes: 4_000_000_000,
  outputBytes: 2_000_000_000,
  maxRows: 10_000_000,
}
const defaultRows = 1_000_000
const repeatedMessage = 'The engine stopped unexpectedly. The SELECT was executed again.'
/** Maximum time for the check of a statement before it is saved. */
const checkMs = 20_000
/** Names of the inputs of the kind. All other inputs are tables and values of the SELECT. */
const ownNames = {
  sql: 'SQL',
  format: 'Format',
  group: 'Group',
  fileName: 'File name',
  maxRows: 'Maximum rows',
} as const
const formats: Readonly<Record<string, { extension: string; fileType: string; format: 'CSV' | 'Parquet' }>> =
  {
    CSV: { extension: 'csv', fileType: 'SOURCE', format: 'CSV' },
    Parquet: { extension: 'parquet', fileType: 'SOURCE', format: 'Parquet' },
    NCSV: { extension: 'ncsv', fileType: 'NCSV', format: 'CSV' },
  }

/** Creates the kind of task that executes one SELECT over files and series, and stores the result in a group. */
export function createSqlQuery({
  files,
  symbols,
  findSandbox,
}: {
  files: LibraryFiles
  symbols: SeriesQueries
  /** Returns the sandbox, or the reason why it is unavailable. */
  findSandbox: () => Promise<SandboxAvailability>
}): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs } = work
    const problem = problemOf(inputs)
    if (problem !== undefined) return failed(problem)
    const availability = await findSandbox()
    if (!availability.available) return failed(availability.reason)
    const { extension, fileType, format } = formats[inputs[ownNames.format] || 'CSV']!
    const fileName = safeFileName(inputs[ownNames.fileName] || `result.${extension}`, `result.${extension}`)
    const groupName = inputs[ownNames.group] ?? ''
    const maxRows = maxRowsOf(inputs)
    let stream: Readable | undefined
    let isCut = false
    let hasCrashed = false
    try {
      const result = await select(availability.sandbox, work, {
        format,
        maxRows,
        outputBytes: limits.outputBytes,
        onCrash: () => (hasCrashed = true),
      })
      stream = Readable.from(
        reading(result, (end) => (isCut = end.isCut)),
        { objectMode: false },
      )
      const stored = await storeContent(files, work, { groupName, fileName, fileType }, stream)
      const outcome = storedOutcome(
        stored,
        `Stored ${fileName} (${formatFileSize(stored.size)}) in ${groupName}.`,
      )
      if (hasCrashed) outcome.message += `\n${repeatedMessage}`
      if (!isCut || outcome.status !== 'INFO') return outcome
      return { ...outcome, status: 'WARN', message: `${outcome.message}\n${cutNote(maxRows)}` }
    } catch (error) {
      return failedBy(stream?.errored ?? error)
    }
  }

  /** Executes the SELECT and returns the first rows of its result. Stores nothing. */
  async function test(work: TestWork): Promise<TestOutcome> {
    const problem = problemOf(work.inputs)
    if (problem !== undefined) return failed(problem)
    const availability = await findSandbox()
    if (!availability.available) return failed(availability.reason)
    const ownRows = maxRowsOf(work.inputs)
    const maxRows = Math.min(ownRows, testLimits.countedRows)
    const first = new FirstRows()
    const late = AbortSignal.timeout(work.timeout * 1000)
    const signal = AbortSignal.any([work.signal, late])
    const notes: string[] = []
    let isCut = false
    try {
      const { outputBytes } = testLimits
      const result = await select(
        availability.sandbox,
        { ...work, signal },
        { format: 'CSV', maxRows, outputBytes, onCrash: () => notes.push(repeatedMessage) },
      )
      for await (const part of reading(result, (end) => (isCut = end.isCut))) first.add(part)
      const table = first.end(isCut)
      const isCutByTask = isCut && maxRows === ownRows
      if (isCutByTask) notes.push(cutNote(maxRows))
      return { status: isCutByTask ? 'WARN' : 'INFO', message: notes.join('\n'), table }
    } catch (error) {
      if (work.signal.aborted) return failed(stoppedMessage)
      return late.aborted
        ? failed(`The SELECT exceeded its timeout of ${countOf(work.timeout, 'second')}.`)
        : failedBy(error)
    }
  }

  /** Starts the SELECT of a step or of a test run. */
  async function select(
    sandbox: Sandbox,
    work: TestWork,
    output: Pick<SelectRun, 'format' | 'maxRows' | 'outputBytes' | 'onCrash'>,
  ) {
    const { inputs, memory, signal } = work
    const own = sqlInputs(ownInputs(inputs))
    return runSelect((program) => sandbox.runProgram(program), {
      sql: inputs[ownNames.sql] ?? '',
      tables: await openTables({ files, symbols }, work, own),
      params: own.params,
      memoryBytes: memory * mib,
      inputBytes: limits.inputBytes,
      signal,
      ...output,
    })
  }

  /** Checks a statement before it is saved. If no resources are free, the check happens only in the run. */
  async function problemOfScript(sql: string): Promise<string | undefined> {
    const availability = sql.trim() === '' ? undefined : await findSandbox()
    if (availability?.available !== true) return undefined
    const signal = AbortSignal.timeout(checkMs)
    try {
      return await checkSelect((run) => availability.sandbox.runProgram(run), { sql, signal })
    } catch (error) {
      if (signal.aborted || error instanceof NotStartedError) return undefined
      throw error
    }
  }

  return {
    ...libraryKind,
    definitionId: 'sql-query',
    definitionName: 'sql-query',
    readableName: 'SQL query',
    category: 'Transform',
    description:
      'Executes a SELECT over files and series, and stores the result in a group. Each file or series parameter is a table with the name of the parameter.',
    memory: 1024,
    timeout: 600,
    params: [
      input(
        ownNames.sql,
        'SCRIPT',
        'A SELECT in the ClickHouse dialect. Other parameters are tables, or values such as {limit:UInt32}.',
      ),
      input(ownNames.format, 'CHOICE', 'Format of the result. NCSV: the result is ingested as series.', {
        defaultValue: 'CSV',
        choices: Object.keys(formats),
      }),
      input(ownNames.group, 'GROUP', 'Group for the result.'),
      input(
        ownNames.fileName,
        'TEXT',
        'Name of the result. Default: result, with the extension of the format.',
        {
          optional: true,
        },
      ),
      input(
        ownNames.maxRows,
        'NUMBER',
        `Maximum number of rows of the result, 1 to ${formatNumber(limits.maxRows)}. If the SELECT returns more, the task stores the first ones and ends with a warning.`,
        { defaultValue: String(defaultRows) },
      ),
      output('File', 'FILE', 'The result.'),
    ],
    openParams: true,
    repeatable: true,
    problemOf,
    problemOfScript,
    run,
    test,
    unusedByTest: [ownNames.group],
  }
}

function maxRowsOf(inputs: Readonly<Record<string, string>>): number {
  return Number(inputs[ownNames.maxRows] || defaultRows)
}

function cutNote(maxRows: number): string {
  const rows = formatNumber(maxRows)
  return `The SELECT returns more than ${rows} rows; the result contains the first ${rows}. Raise “${ownNames.maxRows}”, or filter or aggregate the rows.`
}

/** Returns the outcome for a problem that users can solve; rethrows other errors. */
function failedBy(error: unknown): StepOutcome {
  if ([SelectError, TableError, CsvError, NotStartedError].some((type) => error instanceof type))
    return failed((error as Error).message)
  throw error
}

/** Yields the chunks of a generator, and passes its return value on. */
async function* reading<Part, End>(
  parts: AsyncGenerator<Part, End>,
  onEnd: (end: End) => void,
): AsyncGenerator<Part> {
  onEnd(yield* parts)
}

function ownInputs(inputs: Readonly<Record<string, string>>): Record<string, string> {
  const names: readonly string[] = Object.values(ownNames)
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !names.includes(name)))
}

function problemOf(inputs: Readonly<Record<string, string>>): string | undefined {
  const maxRows = maxRowsOf(inputs)
  if (!Number.isInteger(maxRows) || maxRows < 1 || maxRows > limits.maxRows)
    return `“${ownNames.maxRows}” must be a whole number from 1 to ${formatNumber(limits.maxRows)}.`
  const length = inputs[ownNames.sql]?.length ?? 0
  if (length > limits.sqlLength)
    return `The SELECT has ${length.toLocaleString('en')} characters; at most ${limits.sqlLength.toLocaleString('en')} are allowed.`
  const own = sqlInputs(ownInputs(inputs))
  return own.sources.size > limits.tables
    ? `A SELECT can read at most ${limits.tables} tables; this task has ${own.sources.size}.`
    : problemOfTables(own)
}
