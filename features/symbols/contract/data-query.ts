import { z } from 'zod'
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

/** Maximum number of `*` in the values of all these keys; consecutive ones count as one. */
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
  groupName: optionalText().describe('The group; default the groupName of the query.'),
  symbols: symbolValues().describe(
    `Keys and values of the symbol. Without \`pattern\` they name one symbol completely, letter for letter. With \`pattern\` they match every symbol that has these values. Empty: every symbol of the group. At most ${maxSymbolKeys} entries.`,
  ),
  columns: nameList().describe(
    'Names of the value columns; absent, empty or `[null]` = all. With `pattern` a `*` stands for any text. A name the group does not have is omitted.',
  ),
  metadatas: nameList().describe(
    'Names of the metadata to return for the symbols of this key; absent or empty = all of it with `metadata`, else none.',
  ),
  metadata: z
    .union([nameList(), z.record(z.string(), z.unknown()).transform((): string[] => [])])
    .describe(
      'The same as `metadatas`; the names of both count. Names and values, as in an entry of a data prep, change nothing.',
    ),
  pattern: flag(false).describe(
    'Whether `*` in symbol values and column names stands for any text. Default false.',
  ),
  patternExactMatch: flag(false).describe(
    'With `pattern`: only symbols that have exactly the named keys and no other. Default false.',
  ),
  symbolValuesExactMatch: flag(false).describe(
    'With `pattern`: values match exactly, and `*` is an ordinary character. Default false.',
  ),
  offsetAmount: numberOrText().describe(
    'Moves the timestamps of these series by this many offsetType before the range is applied: 1 YEARS aligns last year with this year, a negative amount moves back. A time that the clock skips moves forward; a point that leaves the years 1677 to 2299 is omitted. Counts only with offsetType and when it is a whole number written without a decimal point, else nothing is moved. -1,000,000 to 1,000,000. Not with corrections or delta.',
  ),
  offsetType: nameIn(timeUnits, timeUnitAliases).describe(
    `Unit of offsetAmount: ${timeUnits.join(', ')}, also in the singular and BUSINESS_DAYS.`,
  ),
  fillType: nameIn(fillTypes, fillAliases).describe(
    'How gaps of these series are filled, at every timestamp that any series of the result has. NONE: not at all. PREVIOUS (also FORWARD, FFILL): the value before. NEXT (BACKWARD, BFILL): the value after. NEAREST: the nearer of the two. LINEAR (INTERPOLATE): on the straight line between these values. ZERO: 0. AVERAGE (AVG): the mean of the avgPointsAmount values before. A value that a double cannot hold stays empty, see the header X-KH-OVERFLOWS. Texts and dates support PREVIOUS, NEXT and NEAREST only. Default NONE. Not with corrections.',
  ),
  avgPointsAmount: numberOrText().describe(
    'How many values AVERAGE takes the mean of, 1 to 1000. AVERAGE without it fills nothing.',
  ),
  fillMaxAge: duration().describe(
    'PREVIOUS: a value is carried forward at most this far, for example `6h`: a whole number from 1 to 1,000,000 and m, h, d (24 hours) or w. Default: across the whole gap.',
  ),
  source: optionalText().describe('Name of the series store. There is only one, so the name is ignored.'),
  type: optionalText().describe('Type of the key that clients store for their own use; ignored.'),
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
        'Name of a value column that the query selects, or `symbols.<Key>` or `metadata.<Key>`, whose key may stand in any letter case.',
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
        `${filterOperators.join(', ')}, or one of the signs = != < <= > >=. CONTAINS, STARTS_WITH and ENDS_WITH ignore letter case and apply to texts only. An empty cell meets IS_EMPTY and NOT_EQUALS only. Default EQUALS.`,
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
        'What to compare with: a number or text; a date in ISO form, in the zone of the query, for columns and metadata of dates; for IN a list, or a text of values with commas between them. Not used with IS_EMPTY and IS_NOT_EMPTY.',
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

/** Resampling: one row for each span of calendar time. */
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
      .describe('How many units a span has, 1 to 1000. Default 1.'),
    functions: functionList(resampleFunctions, { TIME_WEIGHTED_AVERAGE: 'TIME_WEIGHTED_MEAN' }).describe(
      `Functions applied to each column of a span, at least one: ${resampleFunctions.join(', ')}, also AVG and AVERAGE, and percentiles such as P5 or P99.9 (0 to 100, at most two decimals). STDDEV is the sample standard deviation, empty for a single value. TIME_WEIGHTED_MEAN counts each value as long as it holds: until the next one or the end of the span, which begins with the value before it. A double that cannot be held is empty, see the header X-KH-OVERFLOWS; so is a sum of integers beyond 64 bits, which the header does not count. Texts and dates support FIRST, LAST and COUNT only; other functions are omitted for them.`,
    ),
    origin: optionalText().describe(
      'Origin of the spans, in the time zone of the query: a date, a date and time, or a time of day. Days begin at its time, weeks on its day of the week, months and years (on the first of a month) in its month. `06:00` gives gas days; `2024-01-07`, a Sunday, gives weeks from Sunday. Years 1677 to 2299. Default: the start of the unit of 1970-01-01.',
    ),
    fill: nameIn(fillTypes, fillAliases).describe(
      'Returns a row for every span from the first to the last one of the result, for each symbol with at least one, and fills it as fillType does; COUNT is 0 there. Not AVERAGE. Default NONE: spans without a value are omitted.',
    ),
    fillMaxAge: duration().describe(
      'With fill PREVIOUS, as fillMaxAge of a key, from begin to begin. Default: any age.',
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

/** Series combined into one for each value of some symbol keys. */
export const dataAggregate = z
  .object({
    by: z
      .array(z.string().max(1000))
      .max(maxSymbolKeys, `A symbol has at most ${maxSymbolKeys} keys.`)
      .nullish()
      .transform((keys) => keys ?? [])
      .describe(
        `Symbol keys in any letter case, at most ${maxSymbolKeys}: each combination of their values becomes one series, whose symbol has these keys only. A series without one of the keys belongs to the group in which that key is empty. Default []: all series of the query become one.`,
      ),
    functions: functionList(aggregateFunctions).describe(
      `How the values of a column are combined at each timestamp, one function at least: ${aggregateFunctions.join(', ')}, also AVG and AVERAGE, and percentiles such as P5 or P99.9, as in \`resample\`. COUNT is the number of series with a value. Texts and dates have COUNT only; the other functions are omitted for them. A double that cannot be held is empty, see the header X-KH-OVERFLOWS.`,
    ),
  })
  .refine(({ functions }) => functions.length > 0, {
    path: ['functions'],
    message: `An aggregate needs at least one function: ${aggregateFunctions.join(', ')}.`,
  })

/**
 * A query for points of stored series. Enum values are accepted in any letter case, booleans as text, and null means absent.
 * Unknown fields are ignored.
 */
export const dataQuery = z.object({
  keys: z
    .array(dataKey)
    .max(maxQueryKeys, `A query has at most ${maxQueryKeys} keys. Use a pattern, or send several queries.`)
    .nullish()
    .transform((keys) =>
      (keys ?? []).map((key) =>
        key.metadata.length === 0 ? key : { ...key, metadatas: [...key.metadatas, ...key.metadata] },
      ),
    )
    .describe(
      `The series to read, at most ${maxQueryKeys} keys and ${maxPatternKeys} of them with \`pattern\` or without symbols, with at most ${maxVariants} different offsets and fills. Unknown symbols and columns, and groups the caller cannot read or that do not exist, are omitted; when no group is left the response is 404 \`groupNotFound\` for the first one.`,
    ),
  groupName: optionalText().describe(
    'Default group of the keys; without keys the query reads the whole group.',
  ),
  range: nameIn(dataRanges).describe(
    'ALL: every point. BETWEEN: from startDate to endDate. LAST: the newest points. NEXT: the first points after now or startDate. Default BETWEEN when a date is given, LAST when lastTypeAmount is, else ALL.',
  ),
  startDate: dateText().describe(
    'First timestamp wanted, ISO in the zone of the query; a date alone begins at 00:00:00.000. Like the other dates of the query it may be relative: `now`, then any of `-7d` or `+1h` (m h d w M y), then `/d` for the begin of that unit, or its end where the date is an end. Absent = open. Not used with ALL and LAST.',
  ),
  endDate: dateText().describe(
    'Last timestamp wanted; a date alone ends at 23:59:59.999. Absent = open. With LAST the time to count back from, default the newest point that meets the filters. Not used with ALL and NEXT.',
  ),
  lastType: nameIn(lastTypes, { VALUE: 'VALUES', ...timeUnitAliases }).describe(
    `Unit of lastTypeAmount: VALUES counts points of each series, ${timeUnits.join(', ')} are calendar time in the zone of the query; also in the singular and BUSINESS_DAYS. Default VALUES.`,
  ),
  lastTypeAmount: wholeNumber(1, 1e9).describe(
    `How many units LAST and NEXT take, 1 to 1e9. Default ${defaultLastAmount}.`,
  ),
  time: optionalText().describe(
    'LAST and NEXT with a unit of time: count from the latest time, not after now, at which the clock in lastTypeOnTimeTimezone shows this time, `16:30` or `16:30:00`. Ignored when a date sets what to count from. Default: LAST counts from the newest point, NEXT from now.',
  ),
  lastTypeOnTime: optionalText().describe('Another name of time.'),
  timezone: optionalText().describe('Another name of lastTypeOnTimeTimezone.'),
  lastTypeOnTimeTimezone: optionalText().describe('IANA zone of time. Default: the zone of the query.'),
  holidayCalendar: optionalText().describe(
    'Name of the holiday calendar that WORKING_DAYS count by, in any letter case, see `GET /ts/holidayCalendar`. Default: Monday to Friday, no holidays.',
  ),
  onDateTime: dateText().describe(
    'Return the data as it was known at this time, ISO in the zone of the query; a date alone means the end of the day. A future time means now. Absent = now.',
  ),
  corrections: nameIn(correctionModes, { NO: 'false', YES: 'true' }).describe(
    'false: the current values. true: every version. history: the same with the insertion time in a column InsertTime. only: every version of the values that were corrected. A version has only the values that its file changed: a column that a PARTIAL_UPDATE file lacks, and a value that AVOID_DUPLICATES skipped, is empty in it. Also yes and no. Default false.',
  ),
  delta: flag(false).describe(
    'Whether the range selects by insertion time instead of timestamp. Default false.',
  ),
  formatType: nameIn(dataFormats, { FAST_NCSV: 'NCSV', FASTNCSV: 'NCSV', CSV: 'NCSV' }).describe(
    'NCSV: text of comma separated values. STANDARD, PANDAS, UI: JSON. ARROW: an Apache Arrow stream. Default NCSV, or ARROW for a caller who accepts application/vnd.apache.arrow.stream.',
  ),
  timeZone: optionalText().describe(
    'IANA zone of the dates in the query and in the result, in any letter case. Obsolete zone names are accepted. Default UTC.',
  ),
  metadata: flag(false).describe(
    'Whether the result has the metadata of the symbols as columns; for keys with `metadatas` only these. Dates among it are in the zone of the query. Default false.',
  ),
  order: nameIn(['asc', 'desc'] as const).describe('Direction of the timestamps. Default asc.'),
  sortSymbols: optionalFlag().describe(
    'true: series after series, those of one group with the same columns, offset and fill together in the order in which their symbols arrived. false: all series mixed, by timestamp. Default false when the number of rows is limited, else true.',
  ),
  size: wholeNumber(-1, 1e9).describe(
    'At most this many rows; -1 = all. From 1 on the response has the header X-KH-NEXT-PAGE-TOKEN. Default -1.',
  ),
  nextPageToken: optionalText(20_000).describe(
    'The header X-KH-NEXT-PAGE-TOKEN of the previous page, with the same query: returns the rows after that page, from the data as of the first page. A page with fewer rows than size is the last. Only for queries of at most 100 groups.',
  ),
  absoluteSize: wholeNumber(-1, 1e9).describe(
    'A second limit of the number of rows, for previews; the smaller one applies. -1 = none. Default -1.',
  ),
  symbolSize: wholeNumber(-1, 1e9).describe(
    'At most this many symbols, the first ones; -1 = all. Default -1.',
  ),
  omitNulls: flag(false).describe(
    'Accepted for compatibility with existing clients, without effect: rows without a value in any requested column are always omitted. Default false.',
  ),
  csv: flag(false).describe('true selects NCSV regardless of formatType. Default false.'),
  dateFormat: optionalText().describe(
    "Java date pattern of the timestamps in the result and of InsertTime, not of columns and metadata of dates; at most 100 characters; the letters G y Y M w D d E a H k K h m s S and zzzz (name of the zone), other text between '. Y means the same as y. Default yyyy-MM-dd'T'HH:mm:ss, with milliseconds where there are any.",
  ),
  decimalPrecision: wholeNumber(0, 15).describe(
    'Round doubles to so many decimals, 0 to 15. Default: as they are.',
  ),
  roundingMode: roundingMode.describe(
    'How decimalPrecision rounds: UP, DOWN, CEILING, FLOOR, HALF_UP, HALF_EVEN, also half expand, expand, trunc. Default HALF_UP.',
  ),
  stats: flag(false).describe(
    'STANDARD and UI: adds by symbol the first and last timestamp and the number of points, and by column of numbers count, min, max, mean, sum, stddev, first and last value. Other formats ignore it. Default false.',
  ),
  includeFileId: flag(false).describe(
    'Whether the result has a text column `FileId(S)` with the file that each point came from; empty for filled points. Default false.',
  ),
  skipEmptyColumns: flag(false).describe(
    'Whether columns without a value in the whole result are omitted; with a window, those without a value in its rows. A count of 0 is no value here. Default false.',
  ),
  outputLayout: nameIn(outputLayouts).describe(
    'ROWS: a row for each symbol and timestamp. COLUMNS: a row for each timestamp and a column for each symbol and value column, at most 2,000; NCSV, STANDARD and ARROW only, without corrections, metadata and file. Default ROWS.',
  ),
  drawPoints: wholeNumber(4, 100_000).describe(
    'UI and NCSV, for drawing: about so many points of each series at most, the first, lowest, highest and last of equal spans of time (M4), so no minimum or maximum is lost. UI returns the total in `points`, NCSV in the header X-KH-TOTAL-ROWS. With absoluteSize nothing is cut off: a result within the limit is returned whole, for a larger one fewer points of each series are chosen, though at least four of each series and column. Not with size, nextPageToken, resample and COLUMNS. 4 to 100,000. Default: every point.',
  ),
  windowStart: dateText().describe(
    'Only rows from this timestamp on, ISO in the zone of the query or with an offset. The range counts, gaps are filled and spans are made before, so the rows equal those of the result without a window. Absent = from the first row on.',
  ),
  windowEnd: dateText().describe(
    'Only rows up to this timestamp, as windowStart; a date alone ends at 23:59:59.999.',
  ),
  countRows: flag(false).describe(
    'Whether the header X-KH-TOTAL-ROWS has the number of rows before size and absoluteSize, which takes the server longer. Default false.',
  ),
  resample: dataResample
    .nullish()
    .transform((resample) => resample ?? undefined)
    .describe(
      'Resamples the points of each symbol by spans of calendar time in the zone of the query, counted from the start of the unit of 1970-01-01 or from `origin`: a row for each span, dated with its begin, and columns `<column>_<function>`. Range and filters select points before; size, order and sortSymbols apply to spans. Not with corrections, fills, drawPoints, includeFileId and COLUMNS. Default: every point.',
    ),
  aggregate: dataAggregate
    .nullish()
    .transform((aggregate) => aggregate ?? undefined)
    .describe(
      'Combines the series of the query into one series for each value of some symbol keys: columns `<column>_<function>`, with `resample` `<column>_<function>_<function>`. At each timestamp it combines the values that the series have there; a missing value is ignored. It is applied last, after offsets, filters, `resample` and fills; limits, order, pages, countRows, drawPoints and skipEmptyColumns apply to its rows. Not with corrections, metadata and includeFileId. Default: each series on its own.',
    ),
  hours: hourList().describe(
    'Only points at these times of day on the clock of the zone of the query: `8-20` is from 08:00 up to but not 20:00, `22:30-6` continues past midnight; or a list of them, at most 24. They select points as filters on columns do. Default: all.',
  ),
  weekdays: dayList().describe(
    `Only points on these days of the week by the clock of the zone of the query: ${weekdays.join(', ')}, also their first three letters. They select points as filters on columns do. Default: all.`,
  ),
  filters: z
    .array(dataFilter)
    .max(maxFilters, `A query has at most ${maxFilters} filters.`)
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

/** Query fields that can be URL parameters; the URL takes precedence over the body. */
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
