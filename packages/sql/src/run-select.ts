import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { SelectReport, SelectRequest, TableFormat } from './messages.ts'

/** The SELECT, or one of its tables, cannot be used. The message is a sentence for users. */
export class SelectError extends Error {}

/** Runs a program in a sandbox, such as that of `@headwater/sandbox`. Yields its result. */
export type ProgramRunner = (run: {
  program: string
  programPaths: readonly string[]
  request: string
  inputs: readonly { name: string; content: AsyncIterable<Uint8Array> }[]
  limits: { memoryBytes: number; inputBytes: number; outputBytes: number; diskBytes: number }
  signal: AbortSignal
  onCrash?: (() => void) | undefined
}) => AsyncGenerator<
  Uint8Array,
  {
    end: 'exited' | 'memoryLimit' | 'inputLimit' | 'outputLimit' | 'aborted' | 'killed'
    report: string
    stderrTail: string
  }
>

/** One SELECT over tables that are files. */
export interface SelectRun {
  /** Text of the SELECT. */
  sql: string
  /** Tables by name; see `problemOfTableName`. */
  tables: readonly { name: string; format: TableFormat; content: AsyncIterable<Uint8Array> }[]
  /** Values of the parameters `{name:Type}`. */
  params: Readonly<Record<string, string | readonly string[]>>
  /** Format of the result. */
  format: 'CSV' | 'Parquet'
  /** Memory limit of the statement, in bytes. */
  memoryBytes: number
  /** Maximum size of all tables together, in bytes. */
  inputBytes: number
  /** Maximum size of the result, in bytes. */
  outputBytes: number
  /** Maximum number of rows of the result; further rows are omitted. */
  maxRows: number
  /** Aborts the SELECT. */
  signal: AbortSignal
  /**
   * Called if the engine crashes. A new process then executes the SELECT once more, which is safe because it changes
   * nothing.
   */
  onCrash: () => void
}

/** Memory that Node and the engine need in addition to the statement, in bytes. */
const baseBytes = 400_000_000
/** Limit of the files that the engine itself writes; tables and results are stored elsewhere. */
const diskBytes = 64_000_000

/**
 * Executes one SELECT in a sandbox, yields its result and returns whether rows were omitted. The process can read only
 * copies of the tables, has no network, and is killed when the iteration ends.
 * @throws SelectError; `signal.reason` if the signal aborts
 */
export async function* runSelect(
  runProgram: ProgramRunner,
  run: SelectRun,
): AsyncGenerator<Uint8Array, { isCut: boolean }> {
  const { tables, signal, memoryBytes, inputBytes, outputBytes, sql, params, format, maxRows, onCrash } = run
  const named = tables.map((table, index) => ({ ...table, file: String(index) }))
  const request: SelectRequest = {
    type: 'execute',
    sql,
    params,
    format,
    memoryBytes,
    maxRows,
    tables: named.map(({ name, file, format: source }) => ({
      name,
      path: `/run/script/${file}`,
      format: source,
    })),
  }
  const outcome = yield* runProgram({
    ...engineProgram(),
    request: JSON.stringify(request),
    inputs: named.map(({ file, content }) => ({ name: file, content })),
    limits: { memoryBytes: memoryBytes + baseBytes, inputBytes, outputBytes, diskBytes },
    signal,
    onCrash,
  })
  const memoryMessage = `The SELECT needs more than ${Math.round(memoryBytes / 1024 ** 2)} MiB of memory. Raise the memory of the task, or filter the rows before joins, sorts and groups.`
  switch (outcome.end) {
    case 'aborted':
      throw signal.reason
    case 'memoryLimit':
      throw new SelectError(memoryMessage)
    case 'inputLimit':
      throw new SelectError(
        `The tables have more than ${(inputBytes / 1e9).toLocaleString('en')} GB together. Use smaller files.`,
      )
    case 'outputLimit':
      throw new SelectError(
        `The result is larger than ${(outputBytes / 1e9).toLocaleString('en')} GB. Filter or aggregate the rows, or add a LIMIT.`,
      )
    case 'killed':
      throw new SelectError('The engine stopped unexpectedly while it executed the SELECT.')
    case 'exited': {
      const report = JSON.parse(outcome.report) as SelectReport
      if (report.type === 'refused') throw new SelectError(report.message)
      if (report.type === 'memoryLimit') throw new SelectError(memoryMessage)
      return { isCut: report.isCut }
    }
  }
}

/** Memory of the check of a statement, in bytes. */
const checkBytes = 200_000_000

/**
 * Checks the syntax of a SELECT and whether it uses only what is allowed. Returns the problem as a sentence with its
 * position; undefined if there is none. Columns and tables are not checked.
 * @throws `signal.reason` if the signal aborts
 */
export async function checkSelect(
  runProgram: ProgramRunner,
  { sql, signal }: Pick<SelectRun, 'sql' | 'signal'>,
): Promise<string | undefined> {
  const request: SelectRequest = { type: 'check', sql, memoryBytes: checkBytes }
  const run = runProgram({
    ...engineProgram(),
    request: JSON.stringify(request),
    inputs: [],
    limits: { memoryBytes: checkBytes + baseBytes, inputBytes: 0, outputBytes: 0, diskBytes },
    signal,
  })
  const { value: outcome } = await run.next()
  if (outcome === undefined || 'byteLength' in outcome) throw new Error('A check has no result.')
  if (outcome.end === 'aborted') throw signal.reason
  if (outcome.end !== 'exited') return undefined
  const report = JSON.parse(outcome.report) as SelectReport
  return report.type === 'refused' ? report.message : undefined
}

/** Returns the program, and the files and folders that it loads. */
function engineProgram(): { program: string; programPaths: string[] } {
  return {
    program: fileURLToPath(new URL('./select-process.ts', import.meta.url)),
    programPaths: programPaths(),
  }
}

function programPaths(): string[] {
  const here = createRequire(import.meta.url)
  const engine = here.resolve('chdb')
  const library = createRequire(engine).resolve(
    `@chdb/lib-${process.platform}-${process.arch}-gnu/package.json`,
  )
  return [fileURLToPath(new URL('..', import.meta.url)), dirname(engine), dirname(library)]
}
