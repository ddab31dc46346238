import { z } from 'zod'
import { drawPoints } from './draw-points.ts'
import { filterOperators, needsValue } from './filter-operators.ts'
import {
  dateText,
  flag,
  functionList,
  nameIn,
  nameList,
  numberOrText,
  optionalFlag,
  optionalText,
  symbolValues,
  wholeNumber,
} from './query-fields.ts'
import {
  aggregateFunctions,
  correctionModes,
  dataFormats,
  dataRanges,
  defaultLastAmount,
  fillTypes,
  lastTypes,
  maxFilters,
  maxFilterValues,
  outputLayouts,
  resampleFunctions,
  resampleUnits,
  roundingMode,
  timeUnits,
} from './query-names.ts'
import { dayList, duration, hourList, weekdays } from './query-times.ts'
import { maxSymbolKeys } from './symbol.ts'

/** Maximum number of `keys` in one query. */
export const maxQueryKeys = 10_000

/** Maximum number of keys that can match several symbols: with `pattern`, or without symbols. Equal keys count once. */
export const maxPatternKeys = 1000

/** Maximum number of `*` in the values of all these keys. Consecutive stars count as one. */
export const maxPatternStars = 10_000

/** Maximum number of different combinations of offset and fill in the keys of one query. */
export const maxVariants = 100

const timeUnitAliases = {
  MINUTE: 'MINUTES',
  HOUR: 'HOURS',
  DAY: 'DAYS',
  WEEK: 'WEEKS',
  MONTH: 'MONTHS',
  YEAR: 'YEARS',
  WORKING_DAY: 'WORKING_DAYS',
  BUSINESS_DAY: 'WORKING_DAYS',
  BUSINESS_DAYS: 'WORKING_DAYS',
} as const

const fillAliases = {
  FORWARD: 'PREVIOUS',
  FILL_FORWARD: 'PREVIOUS',
  FFILL: 'PREVIOUS',
  BACKWARD: 'NEXT',
  FILL_BACKWARD: 'NEXT',
  BFILL: 'NEXT',
  INTERPOLATE: 'LINEAR',
  AVG: 'AVERAGE',
  AVERAGE_POINTS: 'AVERAGE',
} as const

/** One key of a data query: selects symbols of a group, and the columns, offset and fill of their series. */
export const dataKey = z.object({
  groupName: optionalText().describe('Name of the group. Default: the groupName of the query.'),
  symbols: symbolValues().describe(
    `Keys and values of the symbol. Without \`pattern\`, they identify exactly one symbol and must contain all of its keys. With \`pattern\`, they match every symbol that has these values. Empty: every symbol of the group. At most ${maxSymbolKeys} entries.`,
  ),
  columns: nameList().describe(
    'Names of the value columns; absent, empty or `[null]` = all. With `pattern`, `*` matches any text. Names that do not exist in the group are ignored.',
  ),
  metadatas: nameList().describe(
    'Names of the metadata to return for the symbols of this key; absent or empty = all metadata if `metadata` is true, otherwise none.',
  ),
  metadata: z
    .union([nameList(), z.record(z.string(), z.unknown()).transform((): string[] => [])])
    .describe(
      'Same as `metadatas`; the names of both are combined. Names with values, as in an entry of a data prep, are ignored.',
    ),
  pattern: flag(false).describe(
    'Whether `*` in symbol values and column names matches any text. Default false.',
  ),
  patternExactMatch: flag(false).describe(
    'With `pattern`: match only symbols that have exactly the named keys. Default false.',
  ),
  symbolValuesExactMatch: flag(false).describe(
    'With `pattern`: values match exactly, and `*` is an ordinary character. Default false.',
  ),
  offsetAmount: numberOrText().describe(
    'Shifts the timestamps of these series by this number of units (offsetType) before the range is applied. For example, 1 YEARS aligns last year with this year; a negative amount shifts back. A local time that daylight saving skips moves forward; points outside the years 1677 to 2299 are omitted. Applies only together with offsetType and if it is a whole number without a decimal point; otherwise it is ignored. -1,000,000 to 1,000,000. Cannot be combined with corrections or delta.',
  ),
  offsetType: nameIn(timeUnits, timeUnitAliases).describe(
    `Unit of offsetAmount: ${timeUnits.join(', ')}, also in the singular and BUSINESS_DAYS.`,
  ),
  fillType: nameIn(fillTypes, fillAliases).describe(
    'Method that fills gaps of these series at the timestamps of all series in the result. NONE: gaps stay empty. PREVIOUS (also FORWARD, FFILL): the previous value. NEXT (BACKWARD, BFILL): the next value. NEAREST: the nearer of the two. LINEAR (INTERPOLATE): linear interpolation between them. ZERO: 0. AVERAGE (AVG): the mean of the previous avgPointsAmount values. A value outside the range of doubles stays empty, see the header X-KH-OVERFLOWS. Texts and dates support only PREVIOUS, NEXT and NEAREST. Default NONE. Cannot be combined with corrections.',
  ),
  avgPointsAmount: numberOrText().describe(
    'Number of values that AVERAGE averages, 1 to 1000. Without it, AVERAGE fills nothing.',
  ),
  fillMaxAge: duration().describe(
    'With PREVIOUS: maximum time for which a value is carried forward, for example `6h`. A whole number from 1 to 1,000,000 followed by m, h, d (24 hours) or w. Default: no limit.',
  ),
  source: optionalText().describe('Name of the series store. It is ignored, because there is only one.'),
  type: optionalText().describe('Type of the key that clients store for their own use. It is ignored.'),
})
/** A parsed {@link dataKey}. */
export type DataKey = z.output<typeof dataKey>

/** One condition of a data query. */
export const dataFilter = z
  .object({
    name: z
      .string()
      .min(1, 'A condition needs the name of a column, or symbols.<Key>, or metadata.<Key>.')
      .max(1000)
      .describe(
        'Name of a value column that the query selects, or `symbols.<Key>` or `metadata.<Key>` with a case-insensitive key.',
      ),
    operator: nameIn(filterOperators, {
      '=': 'EQUALS',
      '==': 'EQUALS',
      '!=': 'NOT_EQUALS',
      '<>': 'NOT_EQUALS',
      '<': 'LESS',
      '<=': 'LESS_OR_EQUAL',
      '>': 'GREATER',
      '>=': 'GREATER_OR_EQUAL',
    })
      .transform((operator) => operator ?? 'EQUALS')
      .describe(
        `${filterOperators.join(', ')}, or one of the signs = != < <= > >=. CONTAINS, STARTS_WITH and ENDS_WITH ignore case and apply only to texts. Empty cells match only IS_EMPTY and NOT_EQUALS. Default EQUALS.`,
      ),
    value: z
      .union([
        z.string().max(4000),
        z.number(),
        z.boolean(),
        z
          .array(z.union([z.string().max(4000), z.number(), z.boolean()]))
          .max(maxFilterValues, `IN takes at most ${maxFilterValues} values.`),
      ])
      .nullish()
      .describe(
        'Value to compare with: a number or text; for date columns and date metadata, an ISO date in the zone of the query; for IN, a list or a text with comma-separated values. Ignored for IS_EMPTY and IS_NOT_EMPTY.',
      ),
  })
  .superRefine(({ operator, value }, context) => {
    const allowsEmptyText = operator === 'EQUALS' || operator === 'NOT_EQUALS'
    const isMissing = value === null || value === undefined || (value === '' && !allowsEmptyText)
    if (needsValue(operator) && isMissing)
      context.addIssue({ code: 'custom', path: ['value'], message: `${operator} needs a value.` })
    else if (Array.isArray(value) && operator !== 'IN')
      context.addIssue({
        code: 'custom',
        path: ['value'],
        message: `${operator} takes one value; only IN takes a list.`,
      })
  })
/** A parsed {@link dataFilter}. */
export type DataFilter = z.output<typeof dataFilter>

/** Resampling: one row per span of calendar time. */
export const dataResample = z
  .object({
    unit: nameIn(resampleUnits, {
      MINUTE: 'MINUTES',
      HOUR: 'HOURS',
      DAY: 'DAYS',
      WEEK: 'WEEKS',
      MONTH: 'MONTHS',
      YEAR: 'YEARS',
    }).describe(`Unit of a span: ${resampleUnits.join(', ')}, also in the singular. Required.`),
    amount: wholeNumber(1, 1000)
      .transform((amount) => amount ?? 1)
      .describe('Number of units per span, 1 to 1000. Default 1.'),
    functions: functionList(resampleFunctions, { TIME_WEIGHTED_AVERAGE: 'TIME_WEIGHTED_MEAN' }).describe(
      `Functions that are applied to each column of a span; at least one of: ${resampleFunctions.join(', ')}, also AVG and AVERAGE, and percentiles such as P5 or P99.9 (0 to 100, at most two decimals). STDDEV is the sample standard deviation, which is empty for a single value. TIME_WEIGHTED_MEAN weights each value by its duration, which lasts until the next value or the end of the span; a span begins with the value before it. Results outside the range of doubles are empty and counted in the header X-KH-OVERFLOWS. Sums of integers beyond 64 bits are also empty, but not counted. Texts and dates support only FIRST, LAST and COUNT; other functions are omitted for them.`,
    ),
    origin: optionalText().describe(
      'Origin of the spans, in the time zone of the query: a date, a date and time, or a time of day. Days start at its time of day, weeks on its day of the week, years in its month; months and years start on the first of a month. For example, `06:00` results in gas days, and `2024-01-07`, a Sunday, in weeks that start on Sunday. Years 1677 to 2299. Default: the start of the unit of 1970-01-01.',
    ),
    fill: nameIn(fillTypes, fillAliases).describe(
      'Adds rows for empty spans, from the first to the last span of the result, for each symbol that has at least one span. The rows are filled as fillType describes, except that AVERAGE is not supported; COUNT is 0. Default NONE: spans without a value are omitted.',
    ),
    fillMaxAge: duration().describe(
      'With fill PREVIOUS: same as fillMaxAge of a key, measured between the starts of spans. Default: no limit.',
    ),
  })
  .transform(({ unit, amount, functions, origin, fill, fillMaxAge }, context) => {
    if (unit === undefined)
      context.addIssue({
        code: 'custom',
        path: ['unit'],
        message: `Spans need a unit: ${resampleUnits.join(', ')}.`,
      })
    if (functions.length === 0)
      context.addIssue({
        code: 'custom',
        path: ['functions'],
        message: `Spans need at least one function: ${resampleFunctions.join(', ')}.`,
      })
    if (fill === 'AVERAGE')
      context.addIssue({
        code: 'custom',
        path: ['fill'],
        message: 'fill does not support AVERAGE. Use PREVIOUS, NEXT, NEAREST, LINEAR or ZERO.',
      })
    if (unit === undefined || functions.length === 0 || fill === 'AVERAGE') return z.NEVER
    return { unit, amount, functions, origin, fill, fillMaxAge }
  })

/** Combination of series into one series for each value of some symbol keys. */
export const dataAggregate = z
  .object({
    by: z
      .array(z.string().max(1000))
      .max(maxSymbolKeys, `A symbol can have at most ${maxSymbolKeys} keys.`)
      .nullish()
      .transform((keys) => keys ?? [])
      .describe(
        `Symbol keys regardless of case, at most ${maxSymbolKeys}: each combination of their values becomes one series, whose symbol has only these keys. For series without one of the keys, that key counts as empty. Default []: all series of the query become one.`,
      ),
    functions: functionList(aggregateFunctions).describe(
      `Functions that combine the values of a column at each timestamp; at least one of: ${aggregateFunctions.join(', ')}, also AVG and AVERAGE, and percentiles such as P5 or P99.9, as in \`resample\`. COUNT is the number of series with a value. Texts and dates support only COUNT; other functions are omitted for them. Results outside the range of doubles are empty, see the header X-KH-OVERFLOWS.`,
    ),
  })
  .refine(({ functions }) => functions.length > 0, {
    path: ['functions'],
    message: `An aggregate needs at least one function: ${aggregateFunctions.join(', ')}.`,
  })

/**
 * A query for points of stored series. Enum values are accepted regardless of case, booleans as text, and null means absent.
 * Unknown fields are ignored.
 */
export const dataQuery = z.object({
  keys: z
    .array(dataKey)
    .max(
      maxQueryKeys,
      `A query can have at most ${maxQueryKeys} keys. Use a pattern, or send several queries.`,
    )
    .nullish()
    .transform((keys) =>
      (keys ?? []).map((key) =>
        key.metadata.length === 0 ? key : { ...key, metadatas: [...key.metadatas, ...key.metadata] },
      ),
    )
    .describe(
      `The series to read, at most ${maxQueryKeys} keys and ${maxPatternKeys} of them with \`pattern\` or without symbols, with at most ${maxVariants} different offsets and fills. Unknown symbols and columns are omitted, and so are groups that do not exist or that the caller cannot read. If no group is left, the response is 404 \`groupNotFound\` for the first one.`,
    ),
  groupName: optionalText().describe(
    'Default group of the keys. If there are no keys, the query reads the whole group.',
  ),
  range: nameIn(dataRanges).describe(
    'ALL: every point. BETWEEN: from startDate to endDate. LAST: the newest points. NEXT: the first points after now or startDate. Default: BETWEEN if a date is set, LAST if lastTypeAmount is set, otherwise ALL.',
  ),
  startDate: dateText().describe(
    'First timestamp, ISO in the zone of the query; a date without a time means 00:00:00.000. Like the other dates of the query, it can be relative: `now`, followed by steps such as `-7d` or `+1h` (m h d w M y), followed by `/d` for the start of that unit (or its end, in an end date). Absent = open. Ignored for ALL and LAST.',
  ),
  endDate: dateText().describe(
    'Last timestamp; a date without a time means 23:59:59.999. Absent = open. For LAST, the time from which to count back; default: the newest point that matches the filters. Ignored for ALL and NEXT.',
  ),
  lastType: nameIn(lastTypes, { VALUE: 'VALUES', ...timeUnitAliases }).describe(
    `Unit of lastTypeAmount: VALUES counts points of each series, ${timeUnits.join(', ')} are calendar time in the zone of the query. Singular forms and BUSINESS_DAYS are also accepted. Default VALUES.`,
  ),
  lastTypeAmount: wholeNumber(1, 1e9).describe(
    `Number of units for LAST and NEXT, 1 to 1e9. Default ${defaultLastAmount}.`,
  ),
  time: optionalText().describe(
    'For LAST and NEXT with a unit of time: local time (in lastTypeOnTimeTimezone) from which to count, `16:30` or `16:30:00`. The latest such time that is not in the future is used. Ignored if a date sets the starting point. Default: LAST counts from the newest point, NEXT from now.',
  ),
  lastTypeOnTime: optionalText().describe('Another name of time.'),
  timezone: optionalText().describe('Another name of lastTypeOnTimeTimezone.'),
  lastTypeOnTimeTimezone: optionalText().describe('IANA zone of time. Default: the zone of the query.'),
  holidayCalendar: optionalText().describe(
    'Name of the holiday calendar for WORKING_DAYS, case-insensitive, see `GET /ts/holidayCalendar`. Default: Monday to Friday, no holidays.',
  ),
  onDateTime: dateText().describe(
    'Returns the data as known at this time, ISO in the zone of the query. A date without a time means the end of the day; a future time means now. Absent = now.',
  ),
  corrections: nameIn(correctionModes, { NO: 'false', YES: 'true' }).describe(
    'false: the current values. true: all versions. history: all versions, with the insertion time in a column InsertTime. only: all versions of corrected values. A version contains only the values that its file changed; columns missing in a PARTIAL_UPDATE file and values skipped by AVOID_DUPLICATES are empty. yes and no are also accepted. Default false.',
  ),
  delta: flag(false).describe(
    'Whether the range selects by insertion time instead of timestamp. Default false.',
  ),
  formatType: nameIn(dataFormats, { FAST_NCSV: 'NCSV', FASTNCSV: 'NCSV', CSV: 'NCSV' }).describe(
    'NCSV: comma-separated text. STANDARD, PANDAS, UI: JSON. ARROW: an Apache Arrow stream. Default NCSV, or ARROW if the caller accepts application/vnd.apache.arrow.stream.',
  ),
  timeZone: optionalText().describe(
    'IANA zone of the dates in the query and in the result, regardless of case. Obsolete zone names are accepted. Default UTC.',
  ),
  metadata: flag(false).describe(
    'Whether the result contains the metadata of the symbols as columns; for keys with `metadatas`, only these. Date metadata are in the zone of the query. Default false.',
  ),
  order: nameIn(['asc', 'desc'] as const).describe('Direction of the timestamps. Default asc.'),
  sortSymbols: optionalFlag().describe(
    'true: series by series. Series of one group with the same columns, offset and fill are together, in the order of creation of their symbols. false: all series mixed, by timestamp. Default: false if the number of rows is limited, otherwise true.',
  ),
  size: wholeNumber(-1, 1e9).describe(
    'Maximum number of rows; -1 = all. If it is positive, the response has the header X-KH-NEXT-PAGE-TOKEN. Default -1.',
  ),
  nextPageToken: optionalText(20_000).describe(
    'The header X-KH-NEXT-PAGE-TOKEN of the previous page, with the same query: returns the rows after that page, based on the data at the time of the first page. A page with fewer rows than size is the last one. Only for queries of at most 100 groups.',
  ),
  absoluteSize: wholeNumber(-1, 1e9).describe(
    'A second limit for the number of rows, for previews. The smaller limit applies. -1 = none. Default -1.',
  ),
  symbolSize: wholeNumber(-1, 1e9).describe(
    'Maximum number of symbols, counted from the first; -1 = all. Default -1.',
  ),
  omitNulls: flag(false).describe(
    'Accepted for compatibility with existing clients. It has no effect: rows without a value in any requested column are always omitted. Default false.',
  ),
  csv: flag(false).describe('true selects NCSV regardless of formatType. Default false.'),
  dateFormat: optionalText().describe(
    "Java date pattern for the timestamps in the result and for InsertTime, but not for date columns and date metadata. At most 100 characters: the letters G y Y M w D d E a H k K h m s S and zzzz (name of the zone), with other text in single quotes. Y means the same as y. Default yyyy-MM-dd'T'HH:mm:ss, with milliseconds if there are any.",
  ),
  decimalPrecision: wholeNumber(0, 15).describe(
    'Number of decimals to which doubles are rounded, 0 to 15. Default: no rounding.',
  ),
  roundingMode: roundingMode.describe(
    'Rounding mode for decimalPrecision: UP, DOWN, CEILING, FLOOR, HALF_UP or HALF_EVEN; half expand, expand and trunc are also accepted. Default HALF_UP.',
  ),
  stats: flag(false).describe(
    'For STANDARD and UI: adds the first and last timestamp and the number of points of each symbol, and count, min, max, mean, sum, stddev, first and last value of each numeric column. Ignored by other formats. Default false.',
  ),
  includeFileId: flag(false).describe(
    'Whether the result contains a text column `FileId(S)` with the source file of each point; empty for filled points. Default false.',
  ),
  skipEmptyColumns: flag(false).describe(
    'Whether columns without any value in the result (with a window: in its rows) are omitted. A count of 0 does not count as a value. Default false.',
  ),
  outputLayout: nameIn(outputLayouts).describe(
    'ROWS: a row for each symbol and timestamp. COLUMNS: a row for each timestamp and a column for each symbol and value column, at most 2,000; only for NCSV, STANDARD and ARROW, and without corrections, metadata and file ids. Default ROWS.',
  ),
  drawPoints: wholeNumber(drawPoints.min, drawPoints.max).describe(
    'For drawing, with UI and NCSV: approximate maximum number of points per series. The first, lowest, highest and last point of equal spans of time are selected (M4), so that no minimum or maximum is lost. UI returns the total in `points`, NCSV in the header X-KH-TOTAL-ROWS. With absoluteSize nothing is cut off: a result within the limit is returned completely; for a larger result, fewer points are selected, but at least four per series and column. Cannot be combined with size, nextPageToken, resample and COLUMNS. 4 to 100,000. Default: all points.',
  ),
  windowStart: dateText().describe(
    'Only rows from this timestamp on, ISO in the zone of the query or with an offset. The window is applied after ranges, fills and spans, so that the rows are the same as in the result without a window. Absent = from the first row.',
  ),
  windowEnd: dateText().describe(
    'Only rows up to this timestamp, in the same format as windowStart; a date without a time means 23:59:59.999.',
  ),
  countRows: flag(false).describe(
    'Whether the header X-KH-TOTAL-ROWS contains the number of rows before size and absoluteSize are applied. Counting takes longer. Default false.',
  ),
  resample: dataResample
    .nullish()
    .transform((resample) => resample ?? undefined)
    .describe(
      'Resamples the points of each symbol into spans of calendar time in the zone of the query, counted from the start of the unit of 1970-01-01 or from `origin`. Each span is one row, dated with its start, with columns `<column>_<function>`. Range and filters are applied to points before resampling; size, order and sortSymbols apply to spans. Cannot be combined with corrections, fills, drawPoints, includeFileId and COLUMNS. Default: no resampling.',
    ),
  aggregate: dataAggregate
    .nullish()
    .transform((aggregate) => aggregate ?? undefined)
    .describe(
      'Combines the series of the query into one series for each value of some symbol keys, with columns `<column>_<function>` (with `resample`: `<column>_<function>_<function>`). At each timestamp, the existing values of the series are combined; missing values are ignored. It is applied last, after offsets, filters, `resample` and fills; limits, order, pages, countRows, drawPoints and skipEmptyColumns apply to its rows. Cannot be combined with corrections, metadata and includeFileId. Default: series are not combined.',
    ),
  hours: hourList().describe(
    'Only points in this range of local time in the zone of the query: `8-20` is from 08:00 up to but not including 20:00; `22:30-6` continues past midnight. A list of at most 24 ranges is also accepted. They select points in the same way as column filters. Default: all.',
  ),
  weekdays: dayList().describe(
    `Only points on these days of the week in the zone of the query: ${weekdays.join(', ')}, also their first three letters. They select points as filters on columns do. Default: all.`,
  ),
  filters: z
    .array(dataFilter)
    .max(maxFilters, `A query can have at most ${maxFilters} filters.`)
    .nullish()
    .transform((list) => list ?? [])
    .describe(
      `Conditions, at most ${maxFilters}; all of them must hold. Conditions on symbols. and metadata. select symbols; conditions on columns select points, before any gap is filled and before LAST and NEXT count.`,
    ),
})
/** A data query as a client writes it. */
export type DataQueryInput = z.input<typeof dataQuery>
/** A parsed {@link dataQuery}, with defaults applied. */
export type DataQuery = z.output<typeof dataQuery>

/** Query fields that can be URL parameters. The URL takes precedence over the body. */
export const dataQueryParameters = dataQuery
  .pick({
    size: true,
    absoluteSize: true,
    symbolSize: true,
    order: true,
    sortSymbols: true,
    csv: true,
    omitNulls: true,
    nextPageToken: true,
  })
  .extend({
    sortSymbols: optionalFlag().describe('See the body.'),
    csv: optionalFlag().describe('See the body.'),
    omitNulls: optionalFlag().describe('See the body.'),
  })
/** Parsed {@link dataQueryParameters}. */
export type DataQueryParameters = z.output<typeof dataQueryParameters>
