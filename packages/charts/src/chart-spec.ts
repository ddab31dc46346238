/**
 * The words of a chart: what is drawn, and how. A spec is plain data (it can be stored as JSON, except for typed
 * arrays) and is never changed by the engine.
 */

/** How one series is drawn. */
export const SERIES_KINDS = ['area', 'bars', 'line', 'scatter'] as const
export type SeriesKind = (typeof SERIES_KINDS)[number]

/** Which value axis a series belongs to. */
export type AxisSide = 'left' | 'right'

/**
 * Which range of values an axis shows. "The data" are all finite values of the shown series of that axis.
 *
 * - `Default`: round numbers around the values in view. The axis begins at zero where it has bars or areas, or where zero is near the
 *   values.
 * - `Fit to data`: exactly from the smallest to the largest value.
 * - `Zero to data max`: exactly from 0 to the largest value; smaller values are cut off at the edge. If no value is
 *   above zero: from the smallest value to 0.
 * - `Zero to 100`: exactly 0 to 100; what lies outside is cut off at the edge.
 * - `Auto scale`: round numbers around the values in the window in view, zero only if it is near; follows every zoom.
 *
 * Only `Default` and `Auto scale` move while zooming. Without any value an axis shows 0 to 1; if all values are equal the range is
 * widened so that the line lies inside.
 */
export const AXIS_DOMAINS = [
  'Default',
  'Fit to data',
  'Zero to data max',
  'Zero to 100',
  'Auto scale',
] as const
export type AxisDomain = (typeof AXIS_DOMAINS)[number]

/** Colour sets, see `paletteColors`. `COLORFUL_2` are the series tokens of the theme. */
export const PALETTES = ['COLORFUL_2', 'BLUE', 'COLORFUL_1', 'GREEN', 'RED'] as const
export type Palette = (typeof PALETTES)[number]

/** Units that editors offer; other texts are valid, too. Currency symbols precede a number, other units follow it. */
export const UNITS = ['$', '%'] as const

/**
 * How numbers of an axis are written.
 * - `Automatic`: labels of ticks in thousands, millions and so on where they are large, values in full.
 * - `In full`: every digit, also of labels.
 * - `Short`: thousands as k, M, B and T, also of values.
 * - `Scientific`: with a power of ten.
 */
export const NUMBER_FORMATS = ['Automatic', 'In full', 'Short', 'Scientific'] as const
export type NumberFormat = (typeof NUMBER_FORMATS)[number]

export const LINE_STYLES = ['SOLID', 'DASHED'] as const
export type LineStyle = (typeof LINE_STYLES)[number]

export const LEGEND_SIZES = ['Standard', 'Big'] as const
export type LegendSize = (typeof LEGEND_SIZES)[number]

/** Order of the legend by label (natural order: "2" before "10"). */
export const LEGEND_SORTINGS = ['ASC', 'DESC'] as const
export type LegendSorting = (typeof LEGEND_SORTINGS)[number]

export const TITLE_SIZES = ['Small', 'Standard', 'Big', 'Huge'] as const
export type TitleSize = (typeof TITLE_SIZES)[number]

/** `horizontal`: x runs from left to right. `vertical`: x runs from top to bottom, values from left to right. */
export const LAYOUTS = ['horizontal', 'vertical'] as const
export type Layout = (typeof LAYOUTS)[number]

/** Names of the curves between points, as in d3-shape; `bump` is `bumpX` and `monotone` is `monotoneX`. */
export const INTERPOLATIONS = [
  'basis',
  'basisClosed',
  'basisOpen',
  'bumpX',
  'bumpY',
  'bump',
  'linear',
  'linearClosed',
  'natural',
  'monotoneX',
  'monotoneY',
  'monotone',
  'step',
  'stepBefore',
  'stepAfter',
] as const
export type Interpolation = (typeof INTERPOLATIONS)[number]

/** One rule of conditional formatting: values from `from` to `to` (both included) are drawn in `color`. */
export interface ColorRule {
  /** Smallest value the rule holds for. Default: no lower limit. */
  from?: number
  /** Largest value the rule holds for. Default: no upper limit. */
  to?: number
  /** CSS colour or token, see `SeriesSpec.color`. */
  color: string
}

export interface SeriesSpec {
  /** Shown in legend, tooltip and table. Always text, never HTML. */
  label: string
  kind: SeriesKind
  /** Default `left`. */
  axis?: AxisSide
  /**
   * Positions: milliseconds since 1970 UTC on a time axis, else numbers. Need not be sorted (a sorted `Float64Array`
   * is used as it is, anything else is copied). Points whose x is not finite are left out.
   */
  x: ArrayLike<number>
  /** Values, same length as `x` (the shorter one counts). NaN, Infinity, null and undefined are gaps. */
  y: ArrayLike<number | null | undefined>
  /**
   * Makes an area a band: lower ends, same length as `y`, with gaps at the same places. The area lies between them and `y`, without a line;
   * the tooltip shows both ends, and tables have a column of each.
   */
  low?: ArrayLike<number | null | undefined>
  /** CSS colour, or a token such as `--series-3` or `--accent`. Default: next colour of the palette. */
  color?: string
  /** Line thickness in CSS pixels, 0.5 to 20. Default 1.4. */
  thickness?: number
  /** 0 (invisible) to 1. Default 1. */
  opacity?: number
  /** Default `SOLID`. */
  lineStyle?: LineStyle
  /** Diameter of the dots of a scatter in CSS pixels, 1 to 40. Default 5. */
  dotSize?: number
  /** Default: the chart's `interpolation`. For `line` and `area`. */
  interpolation?: Interpolation
  /** A thin dashed line across the chart: at this value, or with `true` at the latest value. Default off. */
  referenceLine?: boolean | number
  /** Bars touch each other and all bar series of a slot lie on one another, as in a histogram. For `bars`. */
  isHistogram?: boolean
  /** Conditional formatting; of several rules that hold the last one wins. Default none. */
  colorRules?: readonly ColorRule[]
  /** Starts hidden; the legend shows it again. Default false. */
  hidden?: boolean
}

export interface AxisSpec {
  /** Default `Default`. */
  domain?: AxisDomain
  /** Written with every number of this axis, see `UNITS`. Default none. */
  unit?: string
  /** Ends of the axis that hold whatever the domain and the zoom; without a smaller `min` than the larger end they do not count. */
  min?: number
  max?: number
  /** Equal distances stand for equal ratios; values up to 0 lie below the axis. Default false. */
  log?: boolean
  /** Default `Automatic`. */
  numberFormat?: NumberFormat
  /** Decimals of its numbers, 0 to 10. Default: as many as they need. */
  decimals?: number
}

export interface XAxisSpec {
  /** Default `time`. */
  kind?: 'time' | 'number'
  /** IANA zone in which times are shown, e.g. `Europe/Berlin`. Default `UTC`. */
  timeZone?: string
  /**
   * `dayOfYear`: x is the output of `seasonality`: ticks are months and no year is shown. Default `calendar`.
   */
  format?: 'calendar' | 'dayOfYear'
}

export interface LegendSpec {
  /** Default true if there is more than one series. */
  show?: boolean
  /** Default `Standard`. */
  size?: LegendSize
  /** Default: the order of the series. */
  sorting?: LegendSorting
}

export interface ChartSpec {
  series: readonly SeriesSpec[]
  x?: XAxisSpec
  leftAxis?: AxisSpec
  rightAxis?: AxisSpec
  legend?: LegendSpec
  /** Title drawn above the chart and into exports. Default none (the tile has its own). */
  title?: string
  /** Default `Standard`. */
  titleSize?: TitleSize
  /** Default `COLORFUL_2`. */
  palette?: Palette
  /** Curve of every `line` and `area` that names none. Default `linear`. */
  interpolation?: Interpolation
  /** Default `horizontal`. */
  layout?: Layout
}
