/**
 * The description of a chart. A spec is plain data (it can be stored as JSON, except for typed arrays), and the engine
 * never modifies it.
 */

/** Types of series. */
export const SERIES_KINDS = ['area', 'bars', 'line', 'scatter'] as const
/** Type of a series. */
export type SeriesKind = (typeof SERIES_KINDS)[number]

/** Value axis of a series. */
export type AxisSide = 'left' | 'right'

/**
 * Value range of an axis. "The data" are all finite values of the visible series of that axis.
 *
 * - `Default`: round numbers around the visible values. The axis starts at zero if it has bars or areas, or if zero is near the
 *   values.
 * - `Fit to data`: exactly the minimum to the maximum.
 * - `Zero to data max`: exactly from 0 to the maximum; smaller values are clipped. If no value is
 *   above zero: from the minimum to 0.
 * - `Zero to 100`: exactly 0 to 100; other values are clipped.
 * - `Auto scale`: round numbers around the values in the window, zero only if it is near; follows every zoom.
 *
 * Only `Default` and `Auto scale` depend on the zoom. An axis without values shows 0 to 1; if all values are equal, the
 * range is widened so that the line lies inside.
 */
export const AXIS_DOMAINS = [
  'Default',
  'Fit to data',
  'Zero to data max',
  'Zero to 100',
  'Auto scale',
] as const
/** Value range of an axis, see `AXIS_DOMAINS`. */
export type AxisDomain = (typeof AXIS_DOMAINS)[number]

/** Palettes, see `paletteColors`. `COLORFUL_2` are the series tokens of the theme. */
export const PALETTES = ['COLORFUL_2', 'BLUE', 'COLORFUL_1', 'GREEN', 'RED'] as const
/** Name of a palette. */
export type Palette = (typeof PALETTES)[number]

/**
 * Units that editors offer; other texts are valid as well. Currency symbols precede a number, other units follow it.
 */
export const UNITS = ['$', '%'] as const

/**
 * Number formats of an axis.
 * - `Automatic`: abbreviates large tick labels (thousands, millions and so on), writes values in full. - `In full`:
 * every digit, including tick labels. - `Short`: thousands as k, M, B and T, including values.
 * - `Scientific`: with a power of ten.
 */
export const NUMBER_FORMATS = ['Automatic', 'In full', 'Short', 'Scientific'] as const
/** Number format of an axis, see `NUMBER_FORMATS`. */
export type NumberFormat = (typeof NUMBER_FORMATS)[number]

/** Styles of lines. */
export const LINE_STYLES = ['SOLID', 'DASHED'] as const
/** Style of a line. */
export type LineStyle = (typeof LINE_STYLES)[number]

/** Sizes of the legend. */
export const LEGEND_SIZES = ['Standard', 'Big'] as const
/** Size of the legend. */
export type LegendSize = (typeof LEGEND_SIZES)[number]

/** Order of the legend by label (natural order: "2" before "10"). */
export const LEGEND_SORTINGS = ['ASC', 'DESC'] as const
/** Order of the legend. */
export type LegendSorting = (typeof LEGEND_SORTINGS)[number]

/** Sizes of the title: 13, 15, 18 and 24 CSS pixels. */
export const TITLE_SIZES = ['Small', 'Standard', 'Big', 'Huge'] as const
/** Size of the title. */
export type TitleSize = (typeof TITLE_SIZES)[number]

/** `horizontal`: x runs from left to right. `vertical`: x runs from top to bottom, values from left to right. */
export const LAYOUTS = ['horizontal', 'vertical'] as const
/** Direction of x. */
export type Layout = (typeof LAYOUTS)[number]

/** Curves between points, named as in d3-shape; `bump` is `bumpX` and `monotone` is `monotoneX`. */
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
/** Curve between points. */
export type Interpolation = (typeof INTERPOLATIONS)[number]

/** A rule of conditional formatting: values between `from` and `to` (inclusive) are drawn in `color`. */
export interface ColorRule {
  /** Minimum value that matches. Default: no minimum. */
  from?: number
  /** Maximum value that matches. Default: no maximum. */
  to?: number
  /** CSS colour or token, see `SeriesSpec.color`. */
  color: string
}

/** One series. */
export interface SeriesSpec {
  /** Text in legend, tooltip and table; never HTML. */
  label: string
  /** Drawing style of the series. */
  kind: SeriesKind
  /** Side of the value axis. Default `left`. */
  axis?: AxisSide
  /**
   * Positions: milliseconds since 1970 UTC on a time axis, else numbers, in any order. A sorted `Float64Array` is used
   * directly; anything else is copied. Points without a finite x are dropped.
   */
  x: ArrayLike<number>
  /**
   * Values, same length as `x` (if the lengths differ, the shorter one counts). NaN, Infinity, null and undefined are
   * gaps.
   */
  y: ArrayLike<number | null | undefined>
  /**
   * Lower values, which turn an area into a band: it fills the space between `low` and `y`, without a line. They have the
   * same length and the same gaps as `y`. The tooltip shows both values, and tables have a column for each.
   */
  low?: ArrayLike<number | null | undefined>
  /** CSS colour, or a token such as `--series-3` or `--accent`. Default: the next colour of the palette. */
  color?: string
  /** Line thickness in CSS pixels, 0.5 to 20. Default 1.4. */
  thickness?: number
  /** Opacity from 0 (invisible) to 1. Default 1. */
  opacity?: number
  /** Style of the line. Default `SOLID`. */
  lineStyle?: LineStyle
  /** Diameter of the dots of a scatter in CSS pixels, 1 to 40. Default 5. */
  dotSize?: number
  /** Curve between points, for `line` and `area`. Default: the chart's `interpolation`. */
  interpolation?: Interpolation
  /** A thin dashed line across the chart: at this value, or with `true` at the latest value. Default false. */
  referenceLine?: boolean | number
  /** Whether bars touch each other and all bar series overlap, as in a histogram. For `bars`. Default false. */
  isHistogram?: boolean
  /** Conditional formatting; the last matching rule wins. Default: none. */
  colorRules?: readonly ColorRule[]
  /** Whether the series starts hidden; the legend can show it. Default false. */
  hidden?: boolean
}

/** Options of a value axis. */
export interface AxisSpec {
  /** Rule for the ends of the axis. Default `Default`. */
  domain?: AxisDomain
  /** Unit of every number of this axis, see `UNITS`. Default: none. */
  unit?: string
  /**
   * Fixed lower end of the axis, which overrides the domain and the zoom. Ignored unless `min` is smaller than the
   * upper end.
   */
  min?: number
  /** Fixed upper end of the axis, like `min`. */
  max?: number
  /** Whether the axis is logarithmic; values of 0 or less are below the axis. Default false. */
  log?: boolean
  /** Format of the numbers. Default `Automatic`. */
  numberFormat?: NumberFormat
  /** Decimals of its numbers, 0 to 10. Default: as many as needed. */
  decimals?: number
}

/** Options of the x axis. */
export interface XAxisSpec {
  /** Kind of the x values. Default `time`. */
  kind?: 'time' | 'number'
  /** IANA zone of displayed times, e.g. `Europe/Berlin`. Default `UTC`. */
  timeZone?: string
  /** `dayOfYear`: x is the output of `seasonality`; ticks are months without a year. Default `calendar`. */
  format?: 'calendar' | 'dayOfYear'
}

/** Options of the legend. */
export interface LegendSpec {
  /** Whether to show the legend. Default true if there is more than one series. */
  show?: boolean
  /** Size of the legend. Default `Standard`. */
  size?: LegendSize
  /** Sort order. Default: the order of the series. */
  sorting?: LegendSorting
}

/** A chart. */
export interface ChartSpec {
  /** Series, drawn in this order within each kind. */
  series: readonly SeriesSpec[]
  /** Options of the x axis. */
  x?: XAxisSpec
  /** Options of the left axis. */
  leftAxis?: AxisSpec
  /** Options of the right axis. */
  rightAxis?: AxisSpec
  /** Options of the legend. */
  legend?: LegendSpec
  /** Title drawn above the chart and into exports. Default: none, because the tile has its own title. */
  title?: string
  /** Size of the title. Default `Standard`. */
  titleSize?: TitleSize
  /** Colours of the series. Default `COLORFUL_2`. */
  palette?: Palette
  /** Curve of each `line` and `area` that has no curve of its own. Default `linear`. */
  interpolation?: Interpolation
  /** Direction of the chart. Default `horizontal`. */
  layout?: Layout
}
