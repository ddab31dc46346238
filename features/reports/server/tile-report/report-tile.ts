/** An insight as it leaves the platform by itself, for example by e-mail. */
export interface TileReport {
  title: string
  insightName: string
  groupName: string
  tiles: ReportTile[]
  /** How many tiles there are besides, which are too many for one report. */
  leftOut: number
}

/** What a tile shows, as far as it can stand on paper. */
export interface ReportTile {
  title: string
  /** As stored, for example `Chart`. */
  kind: string
  /** What of it is not shown, or why nothing is; may be empty. */
  note: string
  table?: ReportTable
  /** Markdown. */
  text?: string
}

/** Rows as the tile writes them; every row is as wide as the header. */
export interface ReportTable {
  header: string[]
  rows: string[][]
  /** Which columns hold numbers. */
  isNumber: boolean[]
}

/** Most tiles of a report. */
export const maxReportTiles = 100
/** Most rows and columns of a table of a report. */
export const maxReportRows = 50
export const maxReportColumns = 20
/** Most characters of a cell and of a text; what is longer is cut. */
export const maxCellCharacters = 200
export const maxTextCharacters = 20_000
/** So many characters fill a report; tiles behind them say so in place of their rows. */
export const maxReportCharacters = 1_000_000
