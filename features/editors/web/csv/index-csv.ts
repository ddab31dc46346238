import { CsvRowIndex, detectEncoding, findSeparator, type TextEncoding } from '@headwater/csv'

/** Number of rows per message of the worker. */
export const workerStep = 1000
/** Number of bytes between two progress messages. */
const progressBytes = 1_048_576
/** Number of bytes at the beginning of a file that determine its encoding and separator. */
const sampleBytes = 65_536

/** The rows of a CSV file over its bytes. */
export interface CsvLayout {
  /** The file; UTF-16 is converted to UTF-8. */
  bytes: Uint8Array<ArrayBuffer>
  /** Encoding of the stored file. */
  encoding: TextEncoding
  /** Character between cells. */
  separator: string
  /** First byte and byte after the last one of each row, {@link workerStep} rows per block. */
  blocks: Uint32Array[]
  /** Number of rows in the grid. */
  rowCount: number
  /** Number of columns of the widest row. */
  columnCount: number
  /** Number of rows whose width differs from the first one. */
  unevenCount: number
  /** The first of these rows, from 0. */
  unevenRows: number[]
  /** Whether the file has more rows than the limit. */
  isCut: boolean
}

/** A file or the beginning of a file that arrives in chunks. */
export interface CsvSource {
  /** Number of bytes of all chunks. */
  size: number
  /** Whether the chunks are the whole file. */
  isWhole: boolean
  /** Maximum number of rows. Default: no limit. */
  maxRows?: number
}

/** Steps of the index: progress in percent, or the positions of the next {@link workerStep} rows. */
export type CsvStep = { percent: number } | { rows: Uint32Array }

/** Reason why a file is not a table: binary content, or an unclosed quote. */
export type CsvDamage = 'binary' | 'unclosed'

/**
 * Finds the rows of a CSV file while its chunks arrive. A last row whose width differs from that of the first row is
 * not part of the grid. A row that may have been truncated by the end of an incomplete file is not indexed either.
 * UTF-16 is parsed at the end, because it must be converted first.
 */
export class CsvIndexer {
  readonly #source: CsvSource
  readonly #onStep: (step: CsvStep) => void
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  #bytes = new Uint8Array(0)
  #length = 0
  #parsed = 0
  #sentRows = 0
  #percent = 0
  #encoding: TextEncoding | undefined
  #separator = ','
  #index: CsvRowIndex | undefined
  #isBinary = false

  /** @param onStep receives the progress and the positions of rows */
  constructor(source: CsvSource, onStep: (step: CsvStep) => void) {
    this.#source = source
    this.#onStep = onStep
  }

  /** Whether further chunks have no effect: the content is binary, or there are more rows than the limit. */
  get isOver(): boolean {
    return this.#isBinary || this.#index?.isCut === true
  }

  /** Adds the next chunk and finds the rows that end in it. A chunk with the whole content is not copied. */
  add(chunk: Uint8Array<ArrayBuffer>): void {
    if (this.isOver) return
    if (this.#length === 0 && chunk.length === this.#source.size) this.#bytes = chunk
    else {
      if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#source.size)
      this.#bytes.set(chunk, this.#length)
    }
    this.#length += chunk.length
    if (this.#encoding === undefined && this.#length < sampleBytes) return
    this.#detect(false)
    if (!this.#encoding!.startsWith('utf-16')) this.#parse(this.#source.size)
  }

  /** Finds the last rows and returns the layout, or the damage of the file. */
  end(): Omit<CsvLayout, 'blocks'> | CsvDamage {
    const { isWhole } = this.#source
    this.#bytes = this.#bytes.subarray(0, this.#length)
    this.#detect(isWhole)
    if (this.#encoding!.startsWith('utf-16')) {
      this.#bytes = new TextEncoder().encode(new TextDecoder(this.#encoding).decode(this.#bytes))
      this.#length = this.#bytes.length
      this.#chooseSeparator()
    }
    this.#parse(this.#length)
    if (this.#isBinary) return 'binary'
    const index = this.#index!
    if (isWhole && !index.isCut) {
      this.#checkEncoding()
      index.end()
    }
    if (index.isUnclosed) return 'unclosed'
    const isCut = index.isCut || !isWhole
    const indexed = index.rowCount
    const hasPartialEnd = !isCut && indexed > 1 && index.lastCount !== index.columnCount
    const rowCount = hasPartialEnd ? indexed - 1 : indexed
    this.#send(true)
    return {
      bytes: this.#bytes,
      encoding: this.#encoding!,
      separator: this.#separator,
      rowCount,
      columnCount: index.widestCount,
      unevenCount: index.unevenCount - (hasPartialEnd ? 1 : 0),
      unevenRows: index.unevenRows.filter((row) => row < rowCount),
      isCut,
    }
  }

  /** Detects the encoding and the separator from the beginning of the file, once. */
  #detect(isEnd: boolean): void {
    if (this.#encoding !== undefined) return
    const sample = this.#bytes.subarray(0, Math.min(sampleBytes, this.#length))
    this.#encoding = detectEncoding(sample, isEnd && sample.length === this.#length)
    this.#chooseSeparator()
  }

  #chooseSeparator(): void {
    const sample = this.#bytes.subarray(0, Math.min(sampleBytes, this.#length))
    const isLatin = this.#encoding === 'windows-1252'
    this.#separator = findSeparator(new TextDecoder(isLatin ? 'windows-1252' : 'utf-8').decode(sample), true)
    this.#index = new CsvRowIndex(this.#separator, this.#source.maxRows ?? Infinity)
  }

  /** Finds the rows in the bytes that arrived. */
  #parse(size: number): void {
    const index = this.#index!
    while (this.#parsed < this.#length && !index.isCut) {
      const chunk = this.#bytes.subarray(this.#parsed, Math.min(this.#parsed + progressBytes, this.#length))
      this.#isBinary = chunk.includes(0)
      if (this.#isBinary) return
      index.add(chunk)
      this.#checkEncoding(chunk)
      this.#parsed += chunk.length
      this.#send(false)
      const percent = Math.min(100, Math.round((this.#parsed / size) * 100))
      if (percent === this.#percent) continue
      this.#percent = percent
      this.#onStep({ percent })
    }
  }

  /** Replaces the encoding if a chunk is not valid UTF-8. Without a chunk, checks the end of the file. */
  #checkEncoding(chunk?: Uint8Array): void {
    if (this.#encoding === 'windows-1252') return
    try {
      if (chunk === undefined) this.#utf8.decode()
      else this.#utf8.decode(chunk, { stream: true })
    } catch {
      this.#encoding = 'windows-1252'
    }
  }

  /** Sends the positions of the rows that were found, {@link workerStep} per step. */
  #send(isEnd: boolean): void {
    const index = this.#index!
    const last = index.rowCount
    while (last - this.#sentRows >= workerStep || (isEnd && this.#sentRows < last)) {
      const count = Math.min(workerStep, last - this.#sentRows)
      const rows = new Uint32Array(count * 2)
      for (let at = 0; at < count; at++) {
        const { start, end } = index.rangeOf(this.#sentRows + at)
        rows[at * 2] = start
        rows[at * 2 + 1] = end
      }
      this.#sentRows += count
      this.#onStep({ rows })
    }
  }
}
