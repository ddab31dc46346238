import { nameIn } from './query-fields.ts'

/** Kinds of range. */
export const dataRanges = ['ALL', 'BETWEEN', 'LAST', 'NEXT'] as const
/** Units of calendar time. WORKING_DAYS counts by the holiday calendar of the query. */
export const timeUnits = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS', 'WORKING_DAYS'] as const
/** Units that LAST and NEXT count: points of each series, or calendar time. */
export const lastTypes = ['VALUES', ...timeUnits] as const
/** Methods to fill gaps; AVERAGE needs `avgPointsAmount`. */
export const fillTypes = ['NONE', 'PREVIOUS', 'NEXT', 'NEAREST', 'LINEAR', 'ZERO', 'AVERAGE'] as const
/** Output layouts: COLUMNS is a wide table, ROWS is the default. */
export const outputLayouts = ['COLUMNS', 'ROWS'] as const
/** Formats of the result. */
export const dataFormats = ['NCSV', 'STANDARD', 'PANDAS', 'UI', 'ARROW'] as const
/** Versions of corrected points in the result. */
export const correctionModes = ['false', 'true', 'history', 'only'] as const
/** Rounding modes of `decimalPrecision`. */
export const roundingModes = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_EVEN'] as const
/** A rounding mode regardless of case; half expand, expand and trunc mean HALF_UP, UP and DOWN. */
export const roundingMode = nameIn(roundingModes, {
  HALF_EXPAND: 'HALF_UP',
  HALFEXPAND: 'HALF_UP',
  EXPAND: 'UP',
  TRUNC: 'DOWN',
})

/** Units of the spans of `resample`. */
export const resampleUnits = ['MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const
/** Functions that aggregate the values of a column in a span. */
export const resampleFunctions = [
  'FIRST',
  'LAST',
  'MIN',
  'MAX',
  'MEAN',
  'SUM',
  'COUNT',
  'MEDIAN',
  'STDDEV',
  'TIME_WEIGHTED_MEAN',
] as const
/** Functions with which `aggregate` combines the values of the series of a group at a timestamp. */
export const aggregateFunctions = ['SUM', 'MEAN', 'MIN', 'MAX', 'COUNT', 'MEDIAN', 'STDDEV'] as const
/** Maximum number of conditions in `filters`. */
export const maxFilters = 100
/** Maximum number of values of a condition with IN. */
export const maxFilterValues = 1000

/** Number of points of each series for the ranges LAST and NEXT without an amount. */
export const defaultLastAmount = 500
