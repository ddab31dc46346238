import { isTimeZone } from '@headwater/zones'
import { z } from 'zod'
import { isCalendarDate, objectName, queryBoolean } from '@headwater/contract'
import {
  correctionModes,
  dataKey,
  dataQuery,
  dataRanges,
  defaultLastAmount,
  fillTypes,
  lastTypes,
  outputLayouts,
  roundingModes,
  symbolMap,
  timeUnits,
} from '@headwater/symbols/contract'
import { backendIsoFormat, dataPrepOrders, maxDataPrepSymbols, warehouseSource } from './data-prep-options.ts'

/** Name of a data prep. The file of a run has the same name. */
export const dataPrepName = objectName('a data prep').describe(
  'Name, unique in its group; trimmed, 1 to 200 characters, without slashes and invisible characters.',
)

const entry = z.object({
  groupName: optionalText(200).describe('Group of the symbols; null means `dataGroupName` of the data prep.'),
  symbols: dataKey.shape.symbols.describe(
    'Keys and values of the symbol. Without `pattern` they identify one symbol completely, with it they match every symbol that has these values. Empty: every symbol of the group.',
  ),
  metadata: textMap().describe(
    'Metadata of the symbol, name to value, for information only; it does not affect the selection. With `withMetadata` the response has the current metadata.',
  ),
  valueColumnNames: columnNames().describe(
    'Names of the value columns to read; empty means all. Required with `pattern`.',
  ),
  valueColumnName: optionalText(1000).describe(
    'One value column, for older clients: used when `valueColumnNames` is empty. In responses the column if there is only one, else null.',
  ),
  offsetType: dataKey.shape.offsetType
    .transform((given) => given ?? null)
    .pipe(z.enum(timeUnits).nullable())
    .describe(
      'Unit of `offsetAmount`; null leaves timestamps unchanged. Options: MINUTES, HOURS, DAYS, WORKING_DAYS, WEEKS, MONTHS, YEARS.',
    ),
  offsetAmount: amountText().describe(
    'Number of units to move timestamps by. Stored as written; used only with `offsetType` and if it is a whole number without a decimal point.',
  ),
  fillType: dataKey.shape.fillType
    .transform((given) => given ?? null)
    .pipe(z.enum(fillTypes).nullable())
    .describe(
      'Method for filling gaps; null means NONE. Options: NONE, PREVIOUS, NEXT, NEAREST, LINEAR, ZERO, AVERAGE.',
    ),
  avgPointsAmount: amountText().describe(
    'Number of points that AVERAGE uses. Stored as written; without it AVERAGE fills nothing.',
  ),
  pattern: flag().describe('Whether `*` in values and names of columns matches any text. Default false.'),
  patternExactMatch: flag().describe(
    'With `pattern`: only symbols with exactly the named keys. Default false.',
  ),
  symbolValuesExactMatch: flag().describe(
    'With `pattern`: a `*` in values is an ordinary character. Default false.',
  ),
  source: optionalText(100).describe(
    'Name of the series store. It is ignored, because there is only one. Default null.',
  ),
})

/** An entry of the basket: a symbol or a pattern of a group, with columns, offset and fill. */
export const dataPrepSymbol = entry
  .transform(withOneFormOfColumns)
  .pipe(entry as z.ZodType<z.output<typeof entry>, z.output<typeof entry>>)
/** A parsed {@link dataPrepSymbol}. */
export type DataPrepSymbol = z.output<typeof dataPrepSymbol>

/** Definition of a data prep. Enum values are accepted regardless of case; null means the default. */
export const dataPrepDefinition = z.object({
  name: dataPrepName,
  outputGroup: z
    .string('Choose a group.')
    .trim()
    .min(1, 'Choose a group.')
    .max(200, 'The name of a group can have at most 200 characters.')
    .describe('Name of its group; runs write their files there.'),
  range: dataQuery.shape.range
    .transform((given) => given ?? 'LAST')
    .pipe(z.enum(dataRanges))
    .describe(
      'ALL: every point. BETWEEN: from dateFrom to dateTo. LAST: the newest. NEXT: the first from now on. Default LAST.',
    ),
  dateFrom: dateText().describe(
    'First timestamp of BETWEEN, ISO in `timezone`; a date without a time means 00:00:00. Null means no lower bound. Stored but ignored with other ranges.',
  ),
  dateTo: dateText().describe(
    'Last timestamp of BETWEEN; a date without a time means 23:59:59.999. Null means no upper bound.',
  ),
  lastType: dataQuery.shape.lastType
    .transform((given) => given ?? 'VALUES')
    .pipe(z.enum(lastTypes))
    .describe(
      'Unit of lastTypeAmount: VALUES (points of each series), MINUTES, HOURS, DAYS, WORKING_DAYS, WEEKS, MONTHS, YEARS. Default VALUES.',
    ),
  lastTypeAmount: wholeNumber(1, 1e9, defaultLastAmount).describe(
    'Number of units for LAST and NEXT, 1 to 1e9. Default 500.',
  ),
  lastTypeOnTime: clockText().describe(
    'Clock time HH:mm or HH:mm:ss. LAST and NEXT with a unit of time count from the latest time, not after now, at which the clock showed this time. Null means from the newest point, or from now.',
  ),
  lastTypeOnTimeTimezone: timeZone().describe('Zone of lastTypeOnTime; null means `timezone`.'),
  holidayCalendar: optionalText(200).describe(
    'Name of the holiday calendar for WORKING_DAYS; null means Monday to Friday without holidays.',
  ),
  deltaTransDateLimitType: dataKey.shape.offsetType
    .transform((given) => given ?? null)
    .pipe(z.enum(timeUnits).nullable())
    .describe(
      'Unit of deltaTransDateLimitAmount: MINUTES, HOURS, DAYS, WORKING_DAYS, WEEKS, MONTHS, YEARS; null means no limit.',
    ),
  deltaTransDateLimitAmount: optionalWholeNumber(1, 1e9).describe(
    'With `delta` and a unit: selects points inserted in the last units, instead of the range. Null = no limit.',
  ),
  decimalPrecision: wholeNumber(0, 15, 2).describe(
    'Decimals that doubles are rounded to, 0 to 15. Default 2.',
  ),
  skipEmptyColumns: flag().describe('Whether value columns without any value are omitted. Default false.'),
  delta: flag().describe('Whether the range selects by insertion time instead of timestamp. Default false.'),
  outputLayout: dataQuery.shape.outputLayout
    .transform((given) => given ?? 'ROWS')
    .pipe(z.enum(outputLayouts))
    .describe(
      'COLUMNS: a row for each timestamp, a column for each series and value column. ROWS: a row for each point of each series. Default ROWS.',
    ),
  withType: flag().describe(
    'Whether the file of a run has the type of every value column: doubles, which have none otherwise, get `(DB)`. Default false.',
  ),
  attachMetadataToNcsv: flag().describe(
    'Whether the result contains the metadata of the symbols as columns. Default false.',
  ),
  failOnMissingSymbols: flag().describe(
    'Whether a run fails when symbols of the basket are missing: unknown symbols, patterns without matches, groups that the user cannot read. Otherwise missing symbols are skipped. Default false.',
  ),
  ncsvEmptySymbolsInResult: flag().describe(
    'Whether the file of a run ends with a row, without date and values, for each symbol without points in the range. Layout ROWS only. Default false.',
  ),
  dateFormat: textOr(100, backendIsoFormat).describe(
    `Java date pattern of the timestamps. Default ${backendIsoFormat}.`,
  ),
  timezone: timeZone()
    .transform((zone) => zone ?? 'UTC')
    .pipe(z.string())
    .describe('IANA zone of the dates. Default UTC.'),
  roundingMode: dataQuery.shape.roundingMode
    .transform((given) => given ?? 'HALF_UP')
    .pipe(z.enum(roundingModes))
    .describe('UP, DOWN, CEILING, FLOOR, HALF_UP or HALF_EVEN. Default HALF_UP.'),
  corrections: dataQuery.shape.corrections
    .transform((given) => given ?? 'false')
    .pipe(z.enum(correctionModes))
    .describe(
      'false: the current value. true: every version. history: the same with the insertion time. only: every version of corrected points. Default false.',
    ),
  order: dataQuery.shape.order
    .transform((given) => given ?? 'asc')
    .pipe(z.enum(dataPrepOrders))
    .describe('Direction of the timestamps, asc or desc. Default asc.'),
  source: textOr(100, warehouseSource).describe(
    'Name of the series store. It is ignored, because there is only one. Default WarehouseService.',
  ),
  dataGroupName: optionalText(200).describe('Default group of the entries. Default null.'),
  symbols: z
    .array(dataPrepSymbol)
    .max(maxDataPrepSymbols, `A data prep can have at most ${maxDataPrepSymbols} entries. Use patterns.`)
    .nullish()
    .transform((entries) => entries ?? [])
    .pipe(z.array(entry as z.ZodType<z.output<typeof entry>, z.output<typeof entry>>))
    .describe('The basket: symbols to read. Can be empty, but a run needs at least one entry.'),
})
/** A data prep as a client writes it. */
export type DataPrepInput = z.input<typeof dataPrepDefinition>
/** A parsed {@link dataPrepDefinition}. */
export type DataPrepDefinition = z.output<typeof dataPrepDefinition>

/** A data prep: a saved query to storage. All versions share the id. */
export const dataPrep = dataPrepDefinition.extend({
  id: z.string().describe('Id that all versions share, a lower-case UUID.'),
  version: z.int().min(1).describe('Number of this version, counted from 1; every save creates a new one.'),
})

/** Fields of a version that the server sets. */
const recorded = {
  owner: z.string().describe('Name of the user who created the data prep.'),
  createDate: z.string().describe('Time of creation: ISO date-time in UTC, without a zone.'),
  modifyDate: z.string().describe('When this version was saved, in the same form.'),
  modifiedBy: z.string().describe('Name of the user who saved this version.'),
  latest: z.boolean().describe('Whether it is the newest version.'),
  writeAccess: z.boolean().describe('Whether the caller can save, run and delete it.'),
  nextRun: z
    .string()
    .nullable()
    .describe(
      'Time of the next scheduled run, in the same format; null without a schedule or while the schedule is paused.',
    ),
  scheduleTimeZone: z
    .string()
    .nullable()
    .describe('IANA name of the time zone of its schedule; null without one.'),
  schedulePaused: z.boolean().describe('Whether its schedule is paused; false without one.'),
}

/** A version of a data prep in a list. It has only the range of the definition. */
export const dataPrepSummary = z.object({
  id: dataPrep.shape.id,
  name: z.string().describe('Name of the data prep.'),
  outputGroup: z.string().describe('Name of its group.'),
  groupName: z.string().describe('The same as `outputGroup`.'),
  version: dataPrep.shape.version,
  symbolCount: z.int().describe('Number of entries of its basket.'),
  ...dataPrep.pick({ range: true, lastType: true, lastTypeAmount: true, dateFrom: true, dateTo: true }).shape,
  ...recorded,
})
/** A parsed {@link dataPrepSummary}. */
export type DataPrepSummary = z.output<typeof dataPrepSummary>

/** Maximum number of symbols returned for one pattern; `totalSize` counts all. */
export const maxResolvedPerEntry = 1000
/** Maximum number of symbols returned for all patterns together. */
export const maxResolvedInAll = 10_000

/** A symbol that a pattern matches now. */
export const resolvedSymbol = z.object({
  groupName: z.string().describe('Name of its group.'),
  symbols: symbolMap.describe('Its keys and values.'),
  metadata: z.record(z.string(), z.string()).describe('Metadata; empty without `withMetadata`.'),
  columns: z.array(z.string()).describe('Names of the value columns that the entry selects, ascending.'),
})

/** A version of a data prep with its definition. */
export const dataPrepDetails = dataPrep.extend({
  ...recorded,
  runningJobId: z
    .string()
    .optional()
    .describe('Job of the run in progress that the caller started; absent without one.'),
  resolved: z
    .array(
      z.object({
        index: z.int().describe('Index of the entry in `symbols`, from 0.'),
        totalSize: z.int().describe('Number of symbols that it matches now.'),
        items: z.array(resolvedSymbol).describe(`First matches, at most ${maxResolvedPerEntry}.`),
      }),
    )
    .optional()
    .describe(
      'Only with `resolvePattern`: symbols that the entries with `pattern` or without symbols match now; none for groups that the caller cannot read. At most 10000 symbols of all entries together.',
    ),
})
/** Parsed {@link dataPrepDetails}. */
export type DataPrepDetails = z.output<typeof dataPrepDetails>

/** Returns a new data prep: no name, an empty basket, LAST 500 VALUES. */
export function newDataPrep(outputGroup = ''): DataPrepDefinition {
  const unnamed = dataPrepDefinition.omit({ name: true, outputGroup: true })
  return { name: '', outputGroup, ...unnamed.parse({}) }
}

/** Returns a basket entry with defaults. */
export function newDataPrepSymbol(given: z.input<typeof dataPrepSymbol>): DataPrepSymbol {
  return dataPrepSymbol.parse(given)
}

function withOneFormOfColumns(given: z.output<typeof entry>): z.output<typeof entry> {
  const { valueColumnNames: names, valueColumnName: single } = given
  const valueColumnNames = names.length === 0 && single !== null ? [single] : names
  return {
    ...given,
    valueColumnNames,
    valueColumnName: valueColumnNames.length === 1 ? valueColumnNames[0]! : null,
  }
}

function optionalText(max: number) {
  return z
    .string()
    .max(max, `At most ${max} characters are allowed here.`)
    .nullish()
    .transform((given) => given?.trim() || null)
    .pipe(z.string().nullable())
}

function textOr(max: number, fallback: string) {
  return optionalText(max)
    .transform((given) => given ?? fallback)
    .pipe(z.string())
}

function textMap() {
  return z
    .record(z.string().max(1000), z.union([z.string().max(20_000), z.number(), z.boolean(), z.null()]))
    .nullish()
    .transform((map) =>
      Object.fromEntries(
        Object.entries(map ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
      ),
    )
    .pipe(z.record(z.string(), z.string()))
}

function columnNames() {
  return z
    .array(z.string().max(1000).nullable())
    .max(10_000)
    .nullish()
    .transform((names) => [...new Set((names ?? []).filter((name) => name !== null && name !== ''))])
    .pipe(z.array(z.string()))
}

/** Schema of amounts that users type. They are stored as text, because an invalid amount is ignored, not rejected. */
function amountText() {
  return z
    .union([z.number(), z.string().max(40)])
    .nullish()
    .transform((given) => (given === null || given === undefined ? null : String(given).trim() || null))
    .pipe(z.string().nullable())
}

function flag() {
  return queryBoolean
    .nullish()
    .transform((given) => given ?? false)
    .pipe(z.boolean())
}

function optionalWholeNumber(min: number, max: number) {
  return z
    .union([z.number(), z.string().max(40)])
    .nullish()
    .transform((given, context) => {
      if (given === null || given === undefined || given === '') return null
      const value = Number(given)
      if (Number.isInteger(value) && value >= min && value <= max) return value
      context.addIssue({ code: 'custom', message: `“${given}” is not a whole number from ${min} to ${max}.` })
      return z.NEVER
    })
    .pipe(z.int().nullable())
}

function wholeNumber(min: number, max: number, fallback: number) {
  return optionalWholeNumber(min, max)
    .transform((given) => given ?? fallback)
    .pipe(z.int())
}

const isoDate = /^(\d{4}-\d{2}-\d{2})([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?)?$/

function dateText() {
  return optionalText(40).refine(
    (given) => given === null || isRealDate(given),
    'This is not a date. Enter 2024-01-31 or 2024-01-31T16:00:00.',
  )
}

function isRealDate(given: string): boolean {
  const day = isoDate.exec(given)?.[1]
  return day !== undefined && isCalendarDate(day)
}

function clockText() {
  return optionalText(20).refine(
    (given) => given === null || /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(given),
    'This is not a time. Enter 16:00 or 16:00:00.',
  )
}

function timeZone() {
  return optionalText(100).refine(
    (given) => given === null || isTimeZone(given),
    'This is not a time zone. Use an IANA name such as Europe/London, or UTC.',
  )
}
