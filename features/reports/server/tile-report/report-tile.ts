/** Content of an insight outside the browser, for example in an e-mail. */
export interface TileReport {
  /** Title of the report. */
  title: string
  /** Name of the insight. */
  insightName: string
  /** Group of the insight. */
  groupName: string
  /** Tiles in their order, at most 100. */
  tiles: ReportTile[]
  /** Number of additional tiles that exceed the limit. */
  leftOut: number
}

/** Content of a tile, as far as a report can show it. */
export interface ReportTile {
  /** Heading of the tile. */
  title: string
  /** Type of the tile as stored, for example `Chart`. */
  kind: string
  /** Limits of the content, or the reason for its absence; can be empty. */
  note: string
  /** Rows of the tile. */
  table?: ReportTable
  /** Text of the tile in Markdown. */
  text?: string
}

/** Formatted rows of a tile. */
export interface ReportTable {
  /** Names of the columns. */
  header: string[]
  /** Cells; every row is as long as the header. */
  rows: string[][]
  /** Whether each column has numbers. */
  isNumber: boolean[]
}

/** Maximum number of tiles of a report. */
export const maxReportTiles = 100
/** Maximum number of rows of a table. */
export const maxReportRows = 50
/** Maximum number of columns of a table. */
export const maxReportColumns = 20
/** Maximum number of characters of a cell; longer ones are cut. */
export const maxCellCharacters = 200
/** Maximum number of characters of a text; longer ones are cut. */
export const maxTextCharacters = 20_000
/** Maximum number of characters of a report. Later tiles have a note instead of their content. */
export const maxReportCharacters = 1_000_000
