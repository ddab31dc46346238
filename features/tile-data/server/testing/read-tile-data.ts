import type { TileDataFrame } from '../../contract/index.ts'

/** The response for one tile. */
export interface ReadTile {
  /** Groups that the caller cannot read. */
  hiddenGroups: readonly string[]
  /** The saved data prep of the tile; undefined if it queries series. */
  prep: TileDataFrame['prep']
  /** The results in their order. */
  results: { groupNames: readonly string[]; totalRows: number | undefined; text: string }[]
  /** The error of the tile; undefined if there is none. */
  error: TileDataFrame['error']
  /** Whether the tile is complete. */
  done: boolean
}

/** Reads the frames of a response with the data of tiles. */
export function readTileData(bytes: Uint8Array, tiles: number): ReadTile[] {
  const read = Array.from({ length: tiles }, (): ReadTile => ({
    hiddenGroups: [],
    prep: undefined,
    results: [],
    error: undefined,
    done: false,
  }))
  let rest = Buffer.from(bytes)
  while (rest.length > 0) {
    const end = rest.indexOf('\n')
    const frame = JSON.parse(rest.subarray(0, end).toString()) as TileDataFrame
    rest = rest.subarray(end + 1)
    const tile = read[frame.tile]!
    const { hiddenGroups, prep, groupNames, totalRows, length = 0, done, error } = frame
    if (hiddenGroups !== undefined) Object.assign(tile, { hiddenGroups, prep })
    if (groupNames !== undefined) tile.results.push({ groupNames, totalRows, text: '' })
    if (length > 0) tile.results.at(-1)!.text += rest.subarray(0, length).toString()
    rest = rest.subarray(length)
    if (error !== undefined) tile.error = error
    tile.done ||= done === true
  }
  return read
}

/** The text of a tile with one result. */
export function textOfTile({ results }: ReadTile): string {
  return results.map(({ text }) => text).join('')
}

/** Returns the number of rows of a tile, or the code of its error. */
export function rowsOfTile({ results, error }: ReadTile): number | string {
  if (error !== undefined) return error.code
  return results.reduce((sum, { text }) => sum + Math.max(0, text.trim().split('\n').length - 1), 0)
}
