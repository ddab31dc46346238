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
import { sourceTileLastAmount } from '../series/row-limits.ts'
import { seriesRange, type SeriesRange } from '../series/series-range.ts'
import { appliedTile, type AppliedInsight } from './applied-tile.ts'
import { isNamed, resolveSource, type TileSource } from '../sources/tile-source.ts'

/** The query of a tile. */
export interface TileQuery {
  /** Reason why there is no query: a cycle of tiles, or a tile that no longer exists. */
  problem: string | undefined
  /** Source of the rows, after following source tiles. */
  source: Exclude<TileSource, { kind: 'tile' }>
  /** Whether another tile provides the rows. */
  isOfOtherTile: boolean
  /** The series of the tile that provides the rows. */
  symbols: readonly DataPrepSymbols[]
  /** Range of the tile that provides the rows. */
  range: SeriesRange
  /** The range that replaces the range of a saved data prep; if undefined, the data prep uses its own range. */
  chosenRange: ChosenRange | undefined
  /** Filters of the parameters. */
  filters: NonNullable<DataQueryInput['filters']>
  /** The sets of parameters that apply, with the set of the source tile first. */
  bindings: readonly AppliedSet[]
}

/**
 * Returns the query of a tile. A tile that shows the rows of another tile has the query of that tile.
 * @param tile with the choices of the page, see `appliedTile`
 * @param symbols the series of the tile, with the choices of the page
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

/** Returns whether the tile has data to show. */
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

/** Adds the empty group, because a tile that displays the rows of another tile does not know their groups. */
export function ofAnyGroup(loaded: LoadedResult): LoadedResult {
  return { ...loaded, groupNames: new Set(['', ...loaded.groupNames]) }
}

/** Returns the series of a tile: the series of the basket, or its own. A chosen `*` matches any text. */
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

/**
 * Returns the source tile with the choices of the page. The parameters of the tile that displays its rows also apply.
 */
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

/** Returns the data prep of a tile, or one without series if it does not exist. */
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

/** Filters the rows of a file or typed table by parameters, because such a table has no query to narrow. */
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
