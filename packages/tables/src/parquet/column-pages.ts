import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { ColumnMetaData, Compressors, DecodedArray, PageHeader, SchemaElement } from 'hyparquet'
import { parquetHeader, readPage } from 'hyparquet/src/column.js'
import type { ColumnDecoder } from 'hyparquet/src/types.js'
import { TableError, type ByteSource } from '../table.ts'

/** Maximum size of a page in bytes, both stored and decompressed. */
const maxPageBytes = 64 * 1024 * 1024
/** Maximum size of a page header in bytes. */
const maxHeaderBytes = 64 * 1024
/** Maximum number of values of a page. */
const maxPageValues = 5_000_000
/** Maximum total size of the pages in memory, in bytes. */
const maxBudgetBytes = 128 * 1024 * 1024

/** Counts the bytes of the pages in memory. */
export class PageBudget {
  #bytes = 0

  /** Updates the bytes of one column. Throws a TableError above the limit. */
  change(before: number, after: number): void {
    this.#bytes += after - before
    if (this.#bytes > maxBudgetBytes)
      throw new TableError(
        'The pages of the Parquet file are too large. Choose fewer columns, or write smaller pages.',
      )
  }
}

const limit = (outputBytes: number) => ({ maxOutputLength: Math.max(1, outputBytes) })

/** The library itself includes Snappy. */
const compressors: Compressors = {
  GZIP: (bytes, size) => gunzipSync(bytes, limit(size)),
  ZSTD: (bytes, size) => zstdDecompressSync(bytes, limit(size)),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, limit(size)),
}

/** Reads the values of a column of a row group, page by page. */
export class ColumnPages {
  readonly #source: ByteSource
  readonly #decoder: ColumnDecoder
  readonly #rows: number
  readonly #budget: PageBudget
  #at: number
  readonly #end: number
  #dictionary: DecodedArray | undefined
  #dictionaryBytes = 0
  #page: DecodedArray = []
  #pageBytes = 0
  #used = 0
  #read = 0

  constructor(
    source: ByteSource,
    about: ColumnMetaData,
    element: SchemaElement,
    { rows, budget }: { rows: number; budget: PageBudget },
  ) {
    this.#source = source
    this.#rows = rows
    this.#budget = budget
    const start = about.dictionary_page_offset || about.data_page_offset
    this.#at = Number(start < about.data_page_offset ? start : about.data_page_offset)
    this.#end = this.#at + Number(about.total_compressed_size)
    if (!(this.#at >= 4 && this.#end <= source.sizeBytes)) throw damaged(element.name)
    if (!['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI'].includes(about.codec))
      throw new TableError(
        `The compression ${about.codec} is not supported. Use ZSTD, SNAPPY, GZIP or BROTLI.`,
      )
    // Without its logical type, the library returns the values as they are stored.
    const plain: SchemaElement = {
      name: element.name,
      ...(element.type === undefined ? {} : { type: element.type }),
      ...(element.type_length === undefined ? {} : { type_length: element.type_length }),
      repetition_type: element.repetition_type ?? 'REQUIRED',
    }
    const path = [element.name]
    this.#decoder = {
      pathInSchema: path,
      type: about.type,
      codec: about.codec,
      element: plain,
      schemaPath: [
        { count: 2, element: { name: 'table', num_children: 1 }, children: [], path: [] },
        { count: 1, element: plain, children: [], path },
      ],
      compressors,
      parsers: { timestampFromNanoseconds: (nanoseconds: bigint) => nanoseconds },
      utf8: false,
    } as unknown as ColumnDecoder
  }

  /** Returns the next values. The row group must contain at least this many. */
  async next(count: number): Promise<unknown[]> {
    const values: unknown[] = []
    while (values.length < count) {
      if (this.#used === this.#page.length) await this.#readPage()
      const end = Math.min(this.#page.length, this.#used + count - values.length)
      for (let at = this.#used; at < end; at++) values.push(this.#page[at])
      this.#used = end
    }
    return values
  }

  /** Reads pages until one has values. */
  async #readPage(): Promise<void> {
    this.#page = []
    this.#used = 0
    while (this.#page.length === 0) {
      if (this.#at >= this.#end) throw damaged(this.#decoder.element.name)
      const { header, bytes, size } = await this.#readBytes()
      if (header.type === 'INDEX_PAGE') continue
      const isDictionary = header.type === 'DICTIONARY_PAGE'
      if (isDictionary) this.#dictionaryBytes = this.#share(this.#dictionaryBytes, size)
      else this.#pageBytes = this.#share(this.#pageBytes, size)
      const page = this.#decode(header, bytes)
      if (isDictionary) this.#dictionary = page
      else {
        this.#read += page.length
        if (this.#read > this.#rows) throw damaged(this.#decoder.element.name)
        this.#page = page
      }
    }
  }

  #share(before: number, after: number): number {
    this.#budget.change(before, after)
    return after
  }

  #decode(header: PageHeader, bytes: Uint8Array): DecodedArray {
    try {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      return readPage({ view, offset: 0 }, header, this.#decoder, this.#dictionary, undefined, 0).data ?? []
    } catch (error) {
      if (error instanceof TableError) throw error
      throw damaged(this.#decoder.element.name)
    }
  }

  /** Reads a page. Checks the sizes in its header before it allocates memory. */
  async #readBytes(): Promise<{ header: PageHeader; bytes: Uint8Array; size: number }> {
    const { name } = this.#decoder.element
    const start = await this.#source.read(this.#at, Math.min(this.#end, this.#at + maxHeaderBytes))
    const reader = { view: new DataView(start.buffer, start.byteOffset, start.byteLength), offset: 0 }
    let header: PageHeader
    try {
      header = parquetHeader(reader)
    } catch {
      throw damaged(name)
    }
    const packed = header.compressed_page_size
    const size = header.uncompressed_page_size
    const about = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header
    const count = about?.num_values ?? 0
    if (!(packed >= 0 && size >= 0 && count >= 0 && this.#at + reader.offset + packed <= this.#end))
      throw damaged(name)
    if (
      Math.max(packed, size) > maxPageBytes ||
      count > Math.min(maxPageValues, isData(header) ? this.#rows : maxPageValues)
    )
      throw new TableError(
        `A page of the column “${name}” is larger than 64 MB or ${maxPageValues.toLocaleString('en')} values. Write smaller pages.`,
      )
    const from = this.#at + reader.offset
    this.#at = from + packed
    // Copies the bytes, because numbers in them need an aligned position.
    const bytes = Uint8Array.from(await this.#source.read(from, from + packed))
    return { header, bytes, size: Math.max(size, packed) }
  }
}

function isData({ type }: PageHeader): boolean {
  return type === 'DATA_PAGE' || type === 'DATA_PAGE_V2'
}

function damaged(column: string): TableError {
  return new TableError(`The Parquet file is damaged in the column “${column}”.`)
}
