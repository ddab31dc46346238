import { BatchBuilder, type BatchOptions } from './batch-builder.ts'
import { describeForeignBytes } from './foreign-bytes.ts'
import { describeForeignSeparator, parseNcsvHeader, type NcsvHeader } from './header.ts'
import type { NcsvBatch } from './ncsv-batch.ts'
import { NcsvError, type NcsvProblem } from './ncsv-error.ts'
import { brokenCell, escapedCell, RowScanner } from './row-scanner.ts'

/** Options of {@link readNcsv}. */
export interface ReadNcsvOptions {
  /**
   * Maximum number of rows of a batch. Default 65,536; less for very wide files, so that a batch stays below 16 MB.
   */
  batchRows?: number
  /** Whether the arrays of a batch are reused when the next batch is requested. Default false. */
  reusesMemory?: boolean
  /**
   * Reading stops after this many kinds of problems, or after 100,000 rows with problems. Default 20.
   */
  errorLimit?: number
  /** Whether every problem is listed with its row, not only the first one of each kind. Default false. */
  listsAllProblems?: boolean
  /** Maximum length of a symbol value in characters. Default: no limit. */
  maxSymbolLength?: number
  /** Returns the problem of a symbol value, as a sentence. Default: no check. */
  symbolProblem?: (value: string) => string | undefined
  /** Maximum length of a metadata text in characters. Default: no limit. */
  maxMetadataLength?: number
}

/** A file that is being read: its header, and its rows as a stream. */
export interface NcsvReading {
  /** Columns of the file. */
  header: NcsvHeader
  /**
   * Rows in columnar form. Can be iterated once. After the first problem no more batches follow: the rest of the file
   * is only checked for further problems, and the iteration throws an NcsvError. Do not commit any batch before the
   * iteration has ended.
   */
  batches: AsyncIterable<NcsvBatch>
}

/**
 * Maximum size of a row; it can be exceeded by one chunk. The limit prevents an unclosed quote from loading the whole file
 * into memory.
 */
const maxRowBytes = 2 * 1024 * 1024
const maxBatchCells = 2_000_000
/** Maximum number of problems to count, so that a file in another format is not read to its end. */
const maxProblems = 100_000

/**
 * Reads an NCSV file of any size in constant memory (a chunk, a batch, and the dictionary of its symbols).
 * @throws NcsvError if there is no valid header
 */
export async function readNcsv(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  {
    batchRows = 65_536,
    reusesMemory = false,
    errorLimit = 20,
    listsAllProblems = false,
    ...limits
  }: ReadNcsvOptions = {},
): Promise<NcsvReading> {
  const rows = new RowReader(source)
  if (!(await rows.next())) {
    throw new NcsvError(
      rows.problem ? [rows.problem] : [fileProblem('The file is empty; it needs a header line.')],
      false,
    )
  }
  const { header, problems } = parseNcsvHeader(readHeaderCells(rows.scanner), rows.scanner.line)
  if (!header) throw new NcsvError(problems.slice(0, errorLimit), problems.length > errorLimit)
  const capacity = Math.max(1, Math.min(batchRows, Math.floor(maxBatchCells / header.names.length)))
  return {
    header,
    batches: readBatches(rows, header, { capacity, reusesMemory, errorLimit, listsAllProblems, ...limits }),
  }
}

async function* readBatches(
  rows: RowReader,
  header: NcsvHeader,
  {
    errorLimit,
    listsAllProblems,
    ...options
  }: Omit<BatchOptions, 'report'> & {
    errorLimit: number
    listsAllProblems: boolean
  },
): AsyncGenerator<NcsvBatch> {
  const problems: NcsvProblem[] = []
  const byKind = new Map<string, NcsvProblem>()
  let count = 0
  const isOverLimit = () => problems.length >= errorLimit || count >= maxProblems
  function report(cellIndex: number, message: string, kind = message): void {
    if (isOverLimit()) return
    count++
    const known = listsAllProblems ? undefined : byKind.get(kind)
    if (known) {
      known.rowCount = (known.rowCount ?? 1) + 1
      return
    }
    const column = cellIndex < 0 ? -1 : cellIndex + 1
    const columnName = header.names[cellIndex] ?? ''
    const problem = { row: rows.scanner.line, column, columnName, message }
    byKind.set(kind, problem)
    problems.push(problem)
  }
  const builder = new BatchBuilder(header, rows.scanner, { ...options, report })
  do {
    while (!isOverLimit()) {
      builder.addPlainRows()
      if (!builder.isFull) {
        if (!rows.scanner.next(rows.isLast) || rows.scanner.isUnclosed) break
        builder.addRow()
      }
      if (!builder.isFull) continue
      const batch = builder.takeBatch()
      if (problems.length === 0) yield batch
    }
  } while (!isOverLimit() && !rows.scanner.isUnclosed && (await rows.fill()))
  if (rows.scanner.isUnclosed) rows.reportUnclosed()
  if (rows.problem && problems.length < errorLimit) problems.push(rows.problem)
  if (problems.length > 0) throw new NcsvError(problems, isOverLimit())
  if (!builder.isEmpty) yield builder.takeBatch()
}

/** Passes the bytes of the source to a scanner and rejects anything other than UTF-8 text. */
class RowReader {
  readonly scanner = new RowScanner()
  isLast = false
  /** A problem that makes the rest of the file unreadable. */
  problem: NcsvProblem | undefined
  readonly #chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>
  #isStart = true

  constructor(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.#chunks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  }

  /** Moves to the next row, reading more chunks if needed. */
  async next(): Promise<boolean> {
    for (;;) {
      if (this.problem) return false
      if (this.scanner.next(this.isLast)) {
        if (!this.scanner.isUnclosed) return true
        this.reportUnclosed()
        return false
      }
      if (!(await this.fill())) return false
    }
  }

  /** Reads one more chunk; returns false at the end of the file or after a problem. */
  async fill(): Promise<boolean> {
    if (this.isLast || this.problem) return false
    const { done, value } = await this.#chunks.next()
    if (done) {
      this.isLast = true
      return true
    }
    let chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    if (this.#isStart) {
      while (chunk.length < 4) {
        const more = await this.#chunks.next()
        if (more.done) {
          this.isLast = true
          break
        }
        chunk = Buffer.concat([chunk, more.value])
      }
      this.#isStart = false
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) chunk = chunk.subarray(3)
      const foreign = describeForeignBytes(chunk)
      if (foreign) return this.#fail(fileProblem(foreign))
    }
    if (chunk.includes(0)) {
      return this.#fail(
        fileProblem('The file contains NUL bytes, so it is binary or UTF-16. NCSV is text in UTF-8.'),
      )
    }
    if (this.scanner.pendingBytes > maxRowBytes) {
      return this.#fail({
        row: this.scanner.pendingLine,
        column: -1,
        columnName: '',
        message: `The row is longer than ${maxRowBytes / 1024 / 1024} MB; probably a quote is opened and not closed.`,
      })
    }
    this.scanner.append(chunk)
    return true
  }

  reportUnclosed(): void {
    this.problem = {
      row: this.scanner.line,
      column: this.scanner.cellCount,
      columnName: '',
      message:
        'A quote is opened here and not closed before the end of the file; the file seems to be truncated.',
    }
  }

  #fail(problem: NcsvProblem): false {
    this.problem = problem
    return false
  }
}

function readHeaderCells(scanner: RowScanner): string[] {
  return Array.from({ length: scanner.cellCount }, (_, index) => {
    const text = scanner.bytes.toString('utf8', scanner.starts[index]!, scanner.ends[index]!)
    const isBroken = scanner.styles[index] === brokenCell
    if (text.includes('\ufffd') || isBroken) {
      const separator = isBroken ? describeForeignSeparator(characterAfterQuote(scanner, index)) : undefined
      if (separator !== undefined) {
        throw new NcsvError([{ row: scanner.line, column: -1, columnName: '', message: separator }], false)
      }
      throw new NcsvError(
        [
          {
            row: scanner.line,
            column: index + 1,
            columnName: '',
            message: text.includes('\ufffd')
              ? 'The name is not UTF-8 text (it looks like Latin-1 or another older encoding). Save the file as UTF-8.'
              : 'There is text after the closing quote of a name; a quote inside is written twice.',
          },
        ],
        false,
      )
    }
    return scanner.styles[index] === escapedCell ? text.replaceAll('""', '"') : text
  })
}

/** Returns the first character after the closing quote of a cell, skipping spaces. */
function characterAfterQuote(scanner: RowScanner, index: number): string {
  let at = scanner.ends[index]! + 1
  while (scanner.bytes[at] === 0x20) at++
  return String.fromCharCode(scanner.bytes[at] ?? 0)
}

function fileProblem(message: string): NcsvProblem {
  return { row: -1, column: -1, columnName: '', message }
}
