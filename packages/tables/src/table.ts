/** Error in the content of a table, with a sentence for users. */
export class TableError extends Error {}

/** A row of a table. */
export interface TableRow {
  /** Row of a sheet, or line of a text on which the row begins, from 1. Empty ones count. */
  number: number
  /** Its cells as texts. */
  cells: string[]
  /** Positions of the cells that are texts in the file; absent = all, as in CSV. */
  textCells?: number[]
}

/** Content that can be read at any position. */
export interface ByteSource {
  /** Size in bytes. */
  sizeBytes: number
  /** Returns the bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** Bytes that one read of a sequence returns. */
const windowBytes = 1024 * 1024

/** Yields the bytes from `start` to before `end`, in parts. */
export async function* bytesOf(
  source: ByteSource,
  start = 0,
  end = source.sizeBytes,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += windowBytes) yield source.read(at, Math.min(end, at + windowBytes))
}

/** Maximum number of columns of a table; a sheet has no more. */
const maxColumns = 16_384

/** Returns a header whose names are trimmed and different. */
export function requireHeader(cells: readonly string[]): string[] {
  if (cells.length > maxColumns)
    throw new TableError(
      `The file has ${cells.length.toLocaleString('en')} columns; at most ${maxColumns.toLocaleString('en')} can be converted.`,
    )
  const names = new Set<string>()
  for (const cell of cells) {
    const name = cell.trim()
    if (names.has(name))
      throw new TableError(`The header has the column “${name}” twice. Rename one of them.`)
    names.add(name)
  }
  return [...names]
}

/** Rejects a row that does not have one cell for each column. */
export function requireWidth({ number, cells }: TableRow, header: readonly string[]): void {
  if (cells.length !== header.length)
    throw new TableError(`Row ${number} has ${cells.length} cells, but the header has ${header.length}.`)
}
