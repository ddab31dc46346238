import type { DataQueryInput } from '@headwater/symbols/contract'
import { basketSymbols } from '../basket/basket.ts'
import {
  comparesYears,
  keepsOwnRange,
  ownValue,
  type DataPrepSymbols,
  type InsightContent,
  type Tile,
  type TileDataPrep,
} from '../../contract/index.ts'
import { boundFilters, boundSymbols, rowFilter, setOfTile, type AppliedSet } from '../params/bind-tile.ts'
import type { ChosenRange } from '../params/param-values.ts'
import type { LoadedResult } from '../series/loaded-result.ts'
import { resultColumns, rowsBySymbol } from '../series/series-result.ts'
import { seriesRange, type SeriesRange } from '../series/series-range.ts'
import { appliedTile, type AppliedInsight } from './applied-tile.ts'
import { isNamed, resolveSource, type TileSource } from '../sources/tile-source.ts'

/** Rows that are taken over from a tile that names no range itself: as good as all it has. */
export const sourceTileLastAmount = 100_000

/** What a tile asks for. */
export interface TileQuery {
  /** Why nothing can be asked: a circle of tiles, or a tile that is gone. */
  problem: string | undefined
  /** Where the rows come from at last, behind other tiles. */
  source: Exclude<TileSource, { kind: 'tile' }>
  /** Whether they are the rows of another tile. */
  isOfOtherTile: boolean
  /** The series of the tile behind all that hand their rows on. */
  symbols: readonly DataPrepSymbols[]
  range: SeriesRange
  /** The range that parameters or the page choose in place of that of a saved data prep; undefined = its own. */
  chosenRange: ChosenRange | undefined
  /** Conditions besides. */
  filters: NonNullable<DataQueryInput['filters']>
  /** The sets of parameters that hold, first that of the tile whose rows they are. */
  bindings: readonly AppliedSet[]
}

/**
 * What a tile asks for. Rows of another tile are asked for as that one asks for them.
 * @param tile as it is shown, see `shownTile`
 * @param symbols the series the tile names itself, as it is shown
 */
export function tileQuery(tile: Tile, symbols: readonly DataPrepSymbols[], given: AppliedInsight): TileQuery {
  const { sets, content } = given
  const resolved = resolveSource(tile, content)
  const isOfYears = comparesYears(tile) || ('tile' in resolved && comparesYears(resolved.tile))
  const insight = isOfYears ? { ...given, range: undefined } : given
  const own = setOfTile(tile, sets)
  if ('problem' in resolved)
    return {
      ...queryFrom(tile, symbols),
      problem: resolved.problem,
      source: { kind: 'series' },
      isOfOtherTile: true,
    }
  const { source } = resolved
  const isOfOtherTile = resolved.tile.id !== tile.id
  const origin = isOfOtherTile
    ? originOf(resolved.tile, insight, own)
    : { tile, symbols: ownSymbols(source.kind, symbols, insight, own) }
  return { ...queryFrom(origin.tile, origin.symbols), problem: undefined, source, isOfOtherTile }

  function queryFrom(from: Tile, series: readonly DataPrepSymbols[]) {
    const ofOrigin = setOfTile(from, sets)
    const bindings = (own === ofOrigin ? [own] : [ofOrigin, own]).filter((binding) => binding !== undefined)
    return {
      symbols: series,
      range: seriesRange.parse(from),
      chosenRange: keepsOwnRange(from)
        ? undefined
        : (bindings.find(({ chosen }) => chosen.range !== undefined)?.chosen.range ?? insight.range),
      filters: bindings.flatMap((binding) => boundFilters(binding)),
      bindings,
    }
  }
}

/** Whether something has been chosen to show. */
export function isChosen({ source, symbols }: Pick<TileQuery, 'source' | 'symbols'>): boolean {
  switch (source.kind) {
    case 'series':
    case 'basket':
      return symbols.length > 0
    case 'dataPrep': {
      const { dataPrep } = source
      return 'id' in dataPrep || (dataPrep.name !== '' && dataPrep.groupName !== '')
    }
    case 'file':
      return isNamed(source.file)
    case 'text':
      return source.text.trim() !== ''
  }
}

/** What draws the rows of another tile need not know which groups they are from. */
export function ofAnyGroup(loaded: LoadedResult): LoadedResult {
  return { ...loaded, groupNames: new Set(['', ...loaded.groupNames]) }
}

/**
 * What a tile asks for itself: the series of the basket, or its own; a star that was chosen stands for any text.
 */
function ownSymbols(
  kind: TileSource['kind'],
  symbols: readonly DataPrepSymbols[],
  { basket }: Pick<AppliedInsight, 'basket'>,
  bound: AppliedSet | undefined,
): readonly DataPrepSymbols[] {
  if (kind === 'basket') {
    const inBasket = basketSymbols(basket)
    return bound === undefined ? inBasket : inBasket.map((entry) => boundSymbols(entry, bound))
  }
  if (bound === undefined) return symbols
  return symbols.map((entry) =>
    Object.values(entry.symbols).some((value) => value.includes('*'))
      ? { ...entry, pattern: true, patternExactMatch: entry.patternExactMatch ?? true }
      : entry,
  )
}

/** The tile whose rows another one shows, as it is shown itself; further parameters of the other one hold too. */
function originOf(
  stored: Tile,
  insight: AppliedInsight,
  bound: AppliedSet | undefined,
): { tile: Tile; symbols: readonly DataPrepSymbols[] } {
  const withRange =
    stored.range === undefined ? { ...stored, range: 'LAST', lastTypeAmount: sourceTileLastAmount } : stored
  const { tile, dataPrep } = appliedTile(withRange, dataPrepOf(insight.content, stored.id), insight)
  const symbols =
    bound === undefined ? dataPrep.symbols : dataPrep.symbols.map((entry) => boundSymbols(entry, bound))
  return { tile, symbols }
}

/** What a tile asks storage for; nothing when there is no such entry. */
export function dataPrepOf({ datapreps }: Pick<InsightContent, 'datapreps'>, id: string): TileDataPrep {
  const entry = ownValue(datapreps, id)
  if (typeof entry !== 'object' || entry === null) return { symbols: [] }
  const { symbols } = entry as { symbols?: unknown }
  return { ...entry, symbols: Array.isArray(symbols) ? symbols.filter(isDataPrepSymbols) : [] }
}

function isDataPrepSymbols(value: unknown): value is TileDataPrep['symbols'][number] {
  if (typeof value !== 'object' || value === null) return false
  const { groupName, symbols, valueColumnNames } = value as Record<string, unknown>
  return (
    typeof groupName === 'string' &&
    typeof symbols === 'object' &&
    symbols !== null &&
    Object.values(symbols).every((text) => typeof text === 'string') &&
    (valueColumnNames === undefined ||
      (Array.isArray(valueColumnNames) && valueColumnNames.every((name) => typeof name === 'string')))
  )
}

/** Rows of a table that comes from no storage, as parameters choose them: it has no question that they could narrow. */
export function filteredTable(
  loaded: LoadedResult,
  bindings: readonly (AppliedSet | undefined)[],
): LoadedResult {
  if (loaded.isTable !== true) return loaded
  const columns = resultColumns(loaded.result)
  const tests = bindings.flatMap((binding) => rowFilter(binding, columns) ?? [])
  if (tests.length === 0) return loaded
  const rows = loaded.result.rows.filter((row) => tests.every((test) => test(row)))
  const result = { ...loaded.result, rows }
  return { ...loaded, result, rowsOf: rowsBySymbol(result) }
}
