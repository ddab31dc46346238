import { isBackwards } from '@headwater/tile-data/core'
import { type SeriesTileData, withoutRowsText } from './SeriesTile.tsx'
import type { TileExport } from '../exports/tile-exports.ts'

/** Returns the state of the data of a tile for its export. */
export function seriesState(
  data: SeriesTileData,
): Pick<TileExport, 'state' | 'problem' | 'note' | 'omission'> {
  const { series, symbols, range, hidden, rowLimit, withoutRows } = data
  if (!series.isChosen) return { state: 'ready', note: 'No data has been chosen.' }
  if (series.source.kind !== 'dataPrep' && symbols.length > 0 && isBackwards(range))
    return { state: 'failed', problem: 'The date range ends before it begins.' }
  if (series.error) return { state: 'failed', problem: series.error.message }
  if (series.results === undefined) return { state: 'loading' }
  if (hidden > 0 && hidden === symbols.length)
    return { state: 'failed', problem: `You cannot read ${series.forbiddenGroups.join(', ')}.` }
  if (rowLimit === undefined) return { state: 'ready' }
  const none = withoutRows.length === 0 ? '' : `; ${withoutRowsText(withoutRows)}`
  return { state: 'ready', omission: `The ${rowLimit}${none}.` }
}
