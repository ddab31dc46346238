import type { DataPrepSymbols, Tile, TileDataPrep } from '@headwater/tile-data/contract'
import {
  givenNames,
  symbolName,
  symbolSignature,
  chartSymbols,
  newChartSeries,
  type ChartSeries,
} from '@headwater/tile-data/core'
import type { PickedSeries } from '../../editor/SeriesPicker.tsx'

/** Creates chart series for the selected series: one for each, or a single one for all. */
export function seriesOfPicked(picked: readonly PickedSeries[], combined: boolean): ChartSeries[] {
  const [first] = picked
  if (combined && first !== undefined) {
    const { groupName, column } = first
    const symbolList = picked.map(({ symbols }) => symbols)
    const [label] = givenNames(symbolList, column)
    return [newChartSeries({ label, groupName, column, symbolList, operation: 'SUM' })]
  }
  const columns = new Map<string, Set<string>>()
  for (const { symbols, column } of picked) {
    const name = symbolName(symbols)
    columns.set(name, (columns.get(name) ?? new Set()).add(column))
  }
  return picked.map(({ groupName, symbols, column }) => {
    const name = symbolName(symbols)
    const [short, long] = givenNames([symbols], column)
    const label = columns.get(name)!.size > 1 || name === '' ? long : short
    return newChartSeries({ label, groupName, column, symbolList: [symbols] })
  })
}

/** Returns the fields of a chart and its data prep for these series. */
export function withSeries(
  series: readonly ChartSeries[],
  prep: TileDataPrep,
): { fields: Partial<Tile>; prep: TileDataPrep } {
  const needsPrep = series.some(({ symbolList }) => symbolList.length === 0)
  const symbols = needsPrep ? prep.symbols : distinct(chartSymbols(series, prep))
  return { fields: { series: [...series] }, prep: { ...prep, symbols } }
}

/** Returns one entry for each symbol with all of its requested columns. */
function distinct(entries: readonly DataPrepSymbols[]): DataPrepSymbols[] {
  const merged = new Map<string, DataPrepSymbols>()
  for (const entry of entries) {
    const key = symbolSignature(entry.groupName, entry.symbols)
    const known = merged.get(key)
    const columns = [...(known?.valueColumnNames ?? []), ...(entry.valueColumnNames ?? [])]
    merged.set(key, { ...entry, valueColumnNames: [...new Set(columns)] })
  }
  return [...merged.values()]
}
