import type { ChartSpec } from './chart-spec.ts'

/** Statistics of a drawing. */
export interface ChartStats {
  /** Finite points of the visible series within the window. */
  rawPoints: number
  /** Points used for the drawing; fewer than `rawPoints` if several share a pixel column. */
  drawnPoints: number
}

/** Visible window: milliseconds UTC on a time axis, else numbers. */
export interface ChartWindow {
  /** Start, inclusive. */
  from: number
  /** End, inclusive. */
  to: number
}

/** Options of a chart. */
export interface ChartOptions {
  /** First words for a screen reader, such as the title of the tile. Default: the title, or "Chart". */
  label?: string
  /** BCP 47 language of numbers and months. Default `en-GB`. */
  locale?: string
  /** Called after every drawing, including the first (which happens before `createChart` returns). */
  onDraw?: (stats: ChartStats) => void
  /** Called after the user (or `zoom`) changed the window; `undefined` if all data are visible. */
  onZoom?: (window: ChartWindow | undefined) => void
  /** Called with the cursor's x after the user (not `setCursor`) moved it, or with null when it leaves. */
  onCursor?: (x: number | null) => void
  /** Called after a click on the legend with the labels of hidden series. */
  onToggle?: (hidden: readonly string[]) => void
}

/** The chart as rows, for an accessible table. */
export interface ChartTable {
  /** The name of x, then one label per visible series, two for a band; with the axis only for duplicate labels. */
  columns: string[]
  /** Format of the numbers of each column after x, as in the tooltip: the same number of decimals within a column. */
  formats: { decimals: number; text: (value: number) => string }[]
  /** One row per distinct x in the window, ascending; a gap is null. `x` is the raw number, `cells` are the values. */
  rows: { x: number; xText: string; cells: (number | null)[] }[]
  /** Number of distinct x in the window, including those beyond the limit. */
  totalRows: number
}

/** Cells of an exported row; null if a series has no value. */
export type ExportedRow = readonly (string | number | null)[]

/** Differences of an exported picture from the screen. */
export interface PictureOptions {
  /** Title to draw if the spec has none. Default none. */
  title?: string
  /** Width of the picture in CSS pixels. Default: as on screen. */
  width?: number
}

/** A live chart. All methods can be called at any time until `destroy`; after that they do nothing. */
export interface Chart {
  /** Draws another spec in place; preserves the window, and hidden series by label. */
  update(spec: ChartSpec): void
  /**
   * Sets the size in CSS pixels of the whole chart with title and legend. Rarely needed: the chart follows its
   * container.
   */
  setSize(width: number, height: number): void
  /** Shows the window between two positions in any order; clipped to the data. */
  zoom(from: number, to: number): void
  /** Shows all data. */
  resetZoom(): void
  /** Reads colours and fonts again; call it after a switch of theme. (The chart detects a switch of the system.) */
  restyle(): void
  /** Shows crosshair and tooltip at x, for example that of a neighbouring chart; null hides them. */
  setCursor(x: number | null): void
  /** Returns a PNG with title and legend, without cursor. `scale` is device pixels per CSS pixel, default 2. */
  toPng(scale?: number, look?: PictureOptions): Promise<Blob>
  /** Returns the same picture as an SVG document; all text is escaped. */
  toSvg(look?: PictureOptions): Promise<string>
  /**
   * Returns the visible series in the window as rows after a header: raw points, not the drawn ones. The first cell is
   * the time as ISO 8601 UTC, a number, or a day of the year as on the axis. Columns are named by label, with the axis
   * only for duplicate labels.
   *
   * @param of a spec of the same series with more points, if the chart draws only some of them. Default: the drawn spec
   */
  toRows(of?: ChartSpec): Promise<ExportedRow[]>
  /**
   * Returns the rows in the window for an accessible table, at most `limit` (default 200), of the points of `toRows`.
   */
  toTable(limit?: number, of?: ChartSpec): ChartTable
  /** Statistics of the last drawing. */
  readonly stats: ChartStats
  /** The visible window. */
  readonly window: ChartWindow
  /** The window that shows all data. */
  readonly full: ChartWindow
  /** Empties the container and removes all listeners. */
  destroy(): void
}
