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
  /** First part of the screen reader text, such as the title of the tile. Default: the title, or "Chart". */
  label?: string
  /** BCP 47 language of numbers and months. Default `en-GB`. */
  locale?: string
  /** Called after every drawing, including the first (which happens before `createChart` returns). */
  onDraw?: (stats: ChartStats) => void
  /** Called after the user or `zoom` has changed the window; `undefined` if all data are visible. */
  onZoom?: (window: ChartWindow | undefined) => void
  /**
   * Called with the x of the cursor after the user (not `setCursor`) has moved it, or with null when it leaves the
   * chart.
   */
  onCursor?: (x: number | null) => void
  /** Called after a click on the legend with the labels of hidden series. */
  onToggle?: (hidden: readonly string[]) => void
}

/** The chart as rows, for an accessible table. */
export interface ChartTable {
  /** The name of x, then one label per visible series (two for a band). Duplicate labels include the axis. */
  columns: string[]
  /** Format of the numbers of each column after x, as in the tooltip: the same number of decimals within a column. */
  formats: { decimals: number; text: (value: number) => string }[]
  /** One row per distinct x in the window, ascending; a gap is null. `x` is the raw number, `cells` are the values. */
  rows: { x: number; xText: string; cells: (number | null)[] }[]
  /** Number of distinct x values in the window, including those beyond the limit. */
  totalRows: number
}

/** Cells of an exported row; null if a series has no value. */
export type ExportedRow = readonly (string | number | null)[]

/** Options of an exported picture that differ from the screen. */
export interface PictureOptions {
  /** Title to draw if the spec has none. Default: none. */
  title?: string
  /** Width of the picture in CSS pixels. Default: as on screen. */
  width?: number
}

/** A live chart. All methods can be called at any time until `destroy`; after that they do nothing. */
export interface Chart {
  /** Replaces the spec. Preserves the window and, by label, hidden series. */
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
  /**
   * Reads colours and fonts again. Call it after a theme change. The chart detects changes of the system theme itself.
   */
  restyle(): void
  /** Shows crosshair and tooltip at x, for example the cursor position of a neighbouring chart; null hides them. */
  setCursor(x: number | null): void
  /** Returns a PNG with title and legend, without cursor. `scale` is device pixels per CSS pixel, default 2. */
  toPng(scale?: number, look?: PictureOptions): Promise<Blob>
  /** Returns the same picture as an SVG document; all text is escaped. */
  toSvg(look?: PictureOptions): Promise<string>
  /**
   * Returns the visible series in the window as rows after a header: raw points, not the reduced ones that are drawn.
   * The first cell is the time as ISO 8601 UTC, a number, or a day of the year as on the axis. Columns are named by
   * label; duplicate labels include the axis.
   * @param of a spec of the same series with more points, if the chart draws only some of them. Default: the drawn
   *   spec
   */
  toRows(of?: ChartSpec): Promise<ExportedRow[]>
  /** Returns the points of `toRows` as rows for an accessible table, at most `limit` (default 200). */
  toTable(limit?: number, of?: ChartSpec): ChartTable
  /** Statistics of the last drawing. */
  readonly stats: ChartStats
  /** The visible window. */
  readonly window: ChartWindow
  /** The window that contains all data. */
  readonly full: ChartWindow
  /** Empties the container and removes all listeners. */
  destroy(): void
}
