import type { ChartSpec } from '@headwater/charts/values'
import type { TileHeight } from '@headwater/tile-data/contract'

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

/** The content of a tile that a report can show. */
export interface ReportTile {
  /** Heading of the tile. */
  title: string
  /** Type of the tile as stored, for example `Chart`. */
  kind: string
  /** Limits of the content, or the reason for its absence; can be empty. */
  note: string
  /** Rows of the tile. */
  table?: ReportTable
  /** Chart of the tile, for reports that draw charts. */
  chart?: ReportChart
  /** Text of the tile in Markdown. */
  text?: string
  /** Whether the report omits the content of the tile. Default false; a tile without data is not omitted. */
  isOmitted?: boolean
}

/** A chart with its data. */
export interface ReportChart {
  /** What is drawn. */
  spec: ChartSpec
  /** Height of the tile. */
  height: TileHeight
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

/** Limits of the content of a report. */
export interface ReportLimits {
  /** Maximum number of rows of a table. */
  rows: number
  /** Maximum number of rows with the values of a chart. Default: charts are drawn instead. */
  chartRows?: number
  /** Maximum number of columns of a table. */
  columns: number
  /** Maximum number of characters of a cell; longer ones are truncated. */
  cellCharacters: number
  /** Maximum number of characters of a text; longer ones are truncated. */
  textCharacters: number
  /** Maximum number of characters of a report; each point of a chart counts as 8. Later tiles have a note instead of their content. */
  characters: number
}

/** Limits of reports in e-mails. */
export const emailLimits: ReportLimits = {
  rows: 50,
  chartRows: 50,
  columns: 20,
  cellCharacters: 200,
  textCharacters: 20_000,
  characters: 1_000_000,
}

/** Limits of reports as PDF files. */
export const pdfLimits: ReportLimits = {
  rows: 10_000,
  columns: 20,
  cellCharacters: 1000,
  textCharacters: 200_000,
  characters: 20_000_000,
}
