/** Error in the content of a table. The message is a sentence for users. */
export class TableError extends Error {}

/** A row of a table. */
export interface TableRow {
  /** Row number in a sheet, or in text the number of the line where the row begins, from 1. Empty rows count. */
  number: number
  /** Cells of the row as texts. */
  cells: string[]
  /** Positions of the cells that are stored as text; absent if all cells are, as in CSV. */
  textCells?: number[]
}

/** Content with random read access. */
export interface ByteSource {
  /** Size in bytes. */
  sizeBytes: number
  /** Returns the bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array>
}

/**
 * Wraps content that is stored elsewhere as a `ByteSource`.
 * @param open returns the bytes from `start` to `end`, both inclusive
 */
export function sourceOf(
  sizeBytes: number,
  open: (range: { start: number; end: number }) => Promise<AsyncIterable<Uint8Array>>,
): ByteSource {
  return {
    sizeBytes,
    async read(start, end) {
      if (start >= end) return new Uint8Array(0)
      const parts: Uint8Array[] = []
      for await (const part of await open({ start, end: end - 1 })) parts.push(part)
      return Buffer.concat(parts)
    },
  }
}

/** Number of bytes that are read at a time. */
const windowBytes = 1024 * 1024

/** Yields the bytes from `start` to before `end`, in parts. */
export async function* bytesOf(
  source: ByteSource,
  start = 0,
  end = source.sizeBytes,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += windowBytes) yield source.read(at, Math.min(end, at + windowBytes))
}

/** Maximum number of columns of a table, the same as in a sheet. */
const maxColumns = 16_384

/** Returns the trimmed header. Throws if it has more columns than a sheet can have, or if names are not unique. */
export function requireHeader(cells: readonly string[]): string[] {
  if (cells.length > maxColumns)
    throw new TableError(
      `The file has ${cells.length.toLocaleString('en')} columns; at most ${maxColumns.toLocaleString('en')} can be converted.`,
    )
  const names = new Set<string>()
  for (const cell of cells) {
    const name = cell.trim()
    if (names.has(name))
      throw new TableError(
        name === ''
          ? 'The header has two columns without a name. Name them.'
          : `The header has the column “${name}” twice. Rename one of them.`,
      )
    names.add(name)
  }
  return [...names]
}

/** Throws if a row does not have one cell per column. */
export function requireWidth({ number, cells }: TableRow, header: readonly string[]): void {
  if (cells.length !== header.length)
    throw new TableError(
      `Row ${number} has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}, but the header has ${header.length}.`,
    )
}
