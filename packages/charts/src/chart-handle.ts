import type { ChartSpec } from './chart-spec.ts'

/** What is told to the user about how much of the data is on screen. */
export interface ChartStats {
  /** Finite points of the shown series within the window in view. */
  rawPoints: number
  /** Points which the picture was drawn from; smaller than `rawPoints` where several share a pixel column. */
  drawnPoints: number
}

/** Window in view: milliseconds UTC on a time axis, else numbers. */
export interface ChartWindow {
  from: number
  to: number
}

export interface ChartOptions {
  /** What a screen reader says first, e.g. the title of the tile. Default: the title, or "Chart". */
  label?: string
  /** BCP 47 language of numbers and months. Default `en-GB`. */
  locale?: string
  /** Called after every drawing, also the first (which happens before `createChart` returns). */
  onDraw?: (stats: ChartStats) => void
  /** Called after the user (or `zoom`) changed the window; `undefined` when all data are in view. */
  onZoom?: (window: ChartWindow | undefined) => void
  /** Called after the user (not `setCursor`) moves the cursor, with its x, or null when it leaves. */
  onCursor?: (x: number | null) => void
  /** Called after a click on the legend with the labels now hidden. */
  onToggle?: (hidden: readonly string[]) => void
}

/** The chart as rows, for a readable table behind the picture. */
export interface ChartTable {
  /** First the name of x, then one label per shown series, two of a band; with the axis only where several have the same. */
  columns: string[]
  /** How the numbers of each column after x are written, as in the tooltip: all of a column with as many decimals. */
  formats: { decimals: number; text: (value: number) => string }[]
  /** One row per distinct x in view, ascending; a gap is null. `x` is the raw number, `cells` are the values. */
  rows: { x: number; xText: string; cells: (number | null)[] }[]
  /** Distinct x in view, also those beyond the limit. */
  totalRows: number
}

/** Cells of a row that leaves the chart; null where a series has no value. */
export type ExportedRow = readonly (string | number | null)[]

/** How a picture of the chart differs from the screen. */
export interface PictureLook {
  /** Title that is drawn when the spec has none; absent = none. */
  title?: string
  /** Width of the picture in CSS pixels; absent = as on screen. */
  width?: number
}

/** A live chart. All methods may be called at any time until `destroy`; after that they do nothing. */
export interface Chart {
  /** Draws another spec in place; keeps the window in view, and what the legend hid, by label. */
  update(spec: ChartSpec): void
  /** Size in CSS pixels of the whole chart with title and legend. Rarely needed: the chart follows its container. */
  setSize(width: number, height: number): void
  /** Shows the window from-to (order does not matter); clipped to the data. */
  zoom(from: number, to: number): void
  /** Shows all data. */
  resetZoom(): void
  /** Reads the colours and fonts again; call it after a switch of theme. (A switch of the system is noticed.) */
  restyle(): void
  /** Shows crosshair and tooltip at x, e.g. that of a neighbouring chart; null hides them. */
  setCursor(x: number | null): void
  /** The picture with title and legend, without cursor. `scale` is device pixels per CSS pixel, default 2. */
  toPng(scale?: number, look?: PictureLook): Promise<Blob>
  /** The same picture as an SVG document; all text is escaped. */
  toSvg(look?: PictureLook): Promise<string>
  /**
   * Rows of the shown series in view, behind a header: raw points, not the drawn ones. The first cell is the time as ISO 8601 UTC, a
   * number, or a day of a year in words as on the axis. Series are called by their labels, with the axis only where several have the same.
   *
   * @param of a spec of the same series with more points, where the chart draws some of them only. Default: what is drawn.
   */
  toRows(of?: ChartSpec): Promise<ExportedRow[]>
  /** Rows in view for a readable table, at most `limit` (default 200), of the points of `toRows`. */
  toTable(limit?: number, of?: ChartSpec): ChartTable
  /** Figures of the last drawing. */
  readonly stats: ChartStats
  /** The window now in view. */
  readonly window: ChartWindow
  /** The window that shows all data. */
  readonly full: ChartWindow
  /** Takes everything out of the container and ends all listening. */
  destroy(): void
}
