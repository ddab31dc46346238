import type { DataQueryInput } from '@headwater/symbols/contract'
import type { DataPrepDefinition, DataPrepSymbol } from './data-prep.ts'
import { fillTypesWithAmount } from './data-prep-options.ts'
import { prepErrors } from './errors.ts'

/** Definition of a data prep without name and group. */
export type DataPrepContent = Omit<DataPrepDefinition, 'name' | 'outputGroup'>

/**
 * Returns the data query of a data prep. Preview, download and run use it, so that the file of a run equals the response of
 * `POST /ts/stream` byte for byte. Callers can change `formatType`, or limit rows by `absoluteSize`.
 * @throws patternNeedsColumns, entryNeedsGroup
 */
export function toDataQuery(dataPrep: DataPrepContent): DataQueryInput {
  const keys = dataPrep.symbols.map((entry, index) => toDataKey(entry, index, dataPrep.dataGroupName))
  const range = rangeOf(dataPrep)
  const { holidayCalendar } = dataPrep
  const countsWorkingDays = [range.lastType, ...keys.map(({ offsetType }) => offsetType)].includes(
    'WORKING_DAYS',
  )
  return {
    keys,
    ...range,
    ...(holidayCalendar !== null && countsWorkingDays ? { holidayCalendar } : {}),
    delta: dataPrep.delta,
    corrections: dataPrep.corrections,
    order: dataPrep.order,
    timeZone: dataPrep.timezone,
    formatType: 'NCSV',
    metadata: dataPrep.attachMetadataToNcsv,
    outputLayout: dataPrep.outputLayout,
    skipEmptyColumns: dataPrep.skipEmptyColumns,
    dateFormat: dataPrep.dateFormat,
    decimalPrecision: dataPrep.decimalPrecision,
    roundingMode: dataPrep.roundingMode,
  }
}

function toDataKey(entry: DataPrepSymbol, index: number, dataGroupName: string | null) {
  const groupName = entry.groupName ?? dataGroupName
  if (groupName === null) throw prepErrors.entryNeedsGroup({ index })
  if (entry.pattern && hasAllColumns(entry)) throw prepErrors.patternNeedsColumns({ index })
  const { offsetType, offsetAmount, fillType, avgPointsAmount } = entry
  const isOffset = offsetType !== null && isWhole(offsetAmount)
  const isFilled =
    fillType !== null &&
    fillType !== 'NONE' &&
    !(fillTypesWithAmount.includes(fillType) && avgPointsAmount === null)
  return {
    groupName,
    symbols: entry.symbols,
    columns: entry.valueColumnNames,
    pattern: entry.pattern,
    patternExactMatch: entry.patternExactMatch,
    symbolValuesExactMatch: entry.symbolValuesExactMatch,
    ...(isOffset ? { offsetType, offsetAmount } : {}),
    ...(isFilled ? { fillType } : {}),
    ...(isFilled && fillTypesWithAmount.includes(fillType) ? { avgPointsAmount } : {}),
    ...(entry.source === null ? {} : { source: entry.source }),
  }
}

function hasAllColumns({ valueColumnNames }: DataPrepSymbol): boolean {
  return valueColumnNames.length === 0 || valueColumnNames.some((name) => /^\*+$/.test(name))
}

/** Returns whether an amount is a whole number without a decimal point; other offsets are ignored. */
function isWhole(amount: string | null): amount is string {
  return amount !== null && /^[+-]?\d+$/.test(amount)
}

function rangeOf(dataPrep: DataPrepContent): DataQueryInput {
  const { range, dateFrom, dateTo, deltaTransDateLimitType, deltaTransDateLimitAmount } = dataPrep
  const { lastTypeOnTime, lastTypeOnTimeTimezone } = dataPrep
  if (dataPrep.delta && deltaTransDateLimitType !== null && deltaTransDateLimitAmount !== null)
    return {
      range: 'LAST',
      lastType: deltaTransDateLimitType,
      lastTypeAmount: deltaTransDateLimitAmount,
    }
  if (range === 'ALL') return { range }
  if (range === 'BETWEEN')
    return {
      range,
      ...(dateFrom === null ? {} : { startDate: withTime(dateFrom, '00:00:00.000') }),
      ...(dateTo === null ? {} : { endDate: withTime(dateTo, '23:59:59.999') }),
    }
  return {
    range,
    lastType: dataPrep.lastType,
    lastTypeAmount: dataPrep.lastTypeAmount,
    ...(lastTypeOnTime === null || dataPrep.lastType === 'VALUES'
      ? {}
      : { lastTypeOnTime, lastTypeOnTimeTimezone: lastTypeOnTimeTimezone ?? dataPrep.timezone }),
  }
}

function withTime(date: string, time: string): string {
  return date.length === 10 ? `${date}T${time}` : date
}
