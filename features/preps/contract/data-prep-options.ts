/** Which points a data prep takes: all, those of a period, the newest, or the next ones from now on. */
export const dataPrepRanges = ['ALL', 'BETWEEN', 'LAST', 'NEXT'] as const

/** Units of calendar time, shortest first. Working days count by the holiday calendar. */
export const timeUnits = ['MINUTES', 'HOURS', 'DAYS', 'WORKING_DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const
export type TimeUnit = (typeof timeUnits)[number]

/** What LAST and NEXT count: points of each series, or calendar time. */
export const dataPrepLastTypes = ['VALUES', ...timeUnits] as const

/** How gaps of a series are filled. AVERAGE is the mean of the last `avgPointsAmount` points. */
export const fillTypes = ['NONE', 'PREVIOUS', 'NEXT', 'NEAREST', 'LINEAR', 'ZERO', 'AVERAGE'] as const

/** Fill types that mean nothing without `avgPointsAmount`. */
export const fillTypesWithAmount: readonly string[] = ['AVERAGE']

/**
 * Form of the answer: COLUMNS has a row for each timestamp and a column for each series and value column, ROWS a row for
 * each point of each series. The second is the default.
 */
export const outputLayouts = ['COLUMNS', 'ROWS'] as const

/** Versions of a point to take: the current one, all, all with the time of insertion, or all of points that were corrected. */
export const dataPrepCorrections = ['false', 'true', 'history', 'only'] as const

/** Directions of the timestamps. */
export const dataPrepOrders = ['asc', 'desc'] as const

/** How doubles are rounded. */
export const dataPrepRoundingModes = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_EVEN'] as const

/** The backend ISO format: local date-time with milliseconds. */
export const backendIsoFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS"

/** Name of the one store of series there is. */
export const warehouseSource = 'WarehouseService'

/** Points of each series that a new data prep takes. */
export const defaultDataPrepAmount = 500

/** Most entries of the basket of a data prep; as many as a data query may name. */
export const maxDataPrepSymbols = 10_000

/** Type of the files that runs of data preps write. They are not taken over into storage. */
export const dataPrepFileType = 'DATA_PREP'

/** Other words for some of the options, as other programs write them. */
export const optionAliases = {
  timeUnit: {
    MINUTE: 'MINUTES',
    HOUR: 'HOURS',
    DAY: 'DAYS',
    WORKING_DAY: 'WORKING_DAYS',
    BUSINESS_DAY: 'WORKING_DAYS',
    BUSINESS_DAYS: 'WORKING_DAYS',
    WEEK: 'WEEKS',
    MONTH: 'MONTHS',
    YEAR: 'YEARS',
  },
  fillType: {
    FORWARD: 'PREVIOUS',
    FILL_FORWARD: 'PREVIOUS',
    FFILL: 'PREVIOUS',
    BACKWARD: 'NEXT',
    FILL_BACKWARD: 'NEXT',
    BFILL: 'NEXT',
    INTERPOLATE: 'LINEAR',
    AVG: 'AVERAGE',
    AVERAGE_POINTS: 'AVERAGE',
  },
  corrections: { NO: 'false', YES: 'true' },
  roundingMode: { HALF_EXPAND: 'HALF_UP', EXPAND: 'UP', TRUNC: 'DOWN' },
} as const
