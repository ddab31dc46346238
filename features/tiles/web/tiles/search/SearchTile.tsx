import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { searchSymbols, type SymbolItem } from '@headwater/symbols/contract'
import { headingOf, type Tile } from '@headwater/tile-data/contract'
import {
  symbolName,
  symbolSignature,
  mergeResults,
  resultColumns,
  type SeriesResult,
  formatCellNumber,
  columnDecimals,
  maxPattern,
  tooLongPattern,
} from '@headwater/tile-data/core'
import { describeRange } from '@headwater/tile-data/web'
import {
  call,
  type Column,
  countOf,
  DataTable,
  EmptyState,
  formatNumber,
  formatTimestamp,
  intervals,
  refreshEvery,
  SearchField,
} from '@headwater/web-kit'
import { SeriesTileBody, useSeriesTile } from '../../card/SeriesTile.tsx'
import { useReportRefresh } from '../../card/refresh-times.ts'
import { TileHeader, useTileNear } from '../../card/TileCard.tsx'
import { TileError, TileMessage, TileSkeleton } from '../../card/TileStates.tsx'
import type { ExportTable } from '../../exports/export-table.ts'
import { useExportMenu } from '../../exports/export-menu.tsx'
import type { TileViewProps } from '../tile-view.ts'
import {
  appliedFilters,
  defaultFilters,
  isQuick,
  matchesQuickly,
  meetsFilters,
  plainText,
  type TypedFilters,
} from './filter-symbols.ts'
import { matchSymbols } from './match-symbols.ts'
import { type SearchColumn, searchColumnWidth, searchTile } from './search-tile.ts'
import styles from './SearchTile.module.css'

/** Maximum number of searched symbols per group. */
const maxSymbols = 10_000

/** A search tile: finds symbols of groups and shows the values of the selected one. */
export default function SearchTileView({ tile, card }: TileViewProps) {
  const definition = useMemo(() => searchTile.parse(tile), [tile])
  const { groupNames, filters, columns } = definition
  const defaults = JSON.stringify(defaultFilters(filters))
  const [typed, setTyped] = useState<TypedFilters>(() => JSON.parse(defaults) as TypedFilters)
  const [appliedDefaults, setAppliedDefaults] = useState(defaults)
  if (appliedDefaults !== defaults) {
    setAppliedDefaults(defaults)
    setTyped(JSON.parse(defaults) as TypedFilters)
  }
  const matches = useMatchingSymbols(groupNames, typed)
  const exportMenu = useExportMenu(tile, {
    state: matches.error
      ? 'failed'
      : matches.symbols === undefined && groupNames.length > 0
        ? 'loading'
        : 'ready',
    problem: matches.error?.message,
    ...(matches.limited
      ? { omission: `Only the first ${formatNumber(maxSymbols)} symbols of each group are searched.` }
      : {}),
    ...(matches.symbols === undefined ? {} : { table: () => tableOfSymbols(matches.symbols!) }),
  })
  const [picked, setPicked] = useState<string>()
  if (groupNames.length === 0)
    return (
      <TileMessage>
        <EmptyState icon={<IconSearch size={20} stroke={1.6} />} title="No groups yet">
          {card.editing
            ? 'Choose the groups to search in the panel on the right.'
            : 'Edit the insight to choose the groups to search.'}
        </EmptyState>
      </TileMessage>
    )
  const active = matches.symbols?.find((symbol) => keyOf(symbol) === picked) ?? matches.symbols?.[0]
  const fields =
    filters.length > 0
      ? filters.map(({ filterKey, label }) => ({ key: filterKey, label: label === '' ? filterKey : label }))
      : [{ key: '', label: 'Search symbols' }]
  return (
    <div className={styles.search}>
      <TileHeader menu={exportMenu} />
      <div className={styles.fields}>
        {fields.map(({ key, label }) => (
          <div key={key} className={styles.field}>
            {filters.length > 0 ? <span aria-hidden="true">{label}</span> : null}
            <SearchField
              label={label}
              placeholder={filters.length > 0 ? 'Any' : label}
              width="100%"
              value={typed[key] ?? ''}
              onChange={(text) => setTyped({ ...typed, [key]: text })}
            />
            <span className={styles.problem} role="status">
              {(typed[key] ?? '').trim().length > maxPattern ? tooLongPattern : matches.problems[key]}
            </span>
          </div>
        ))}
        <span className={styles.count} role="status">
          {matches.symbols === undefined
            ? ''
            : matches.limited
              ? `${countOf(matches.symbols.length, 'match', 'matches')} in the first ${formatNumber(maxSymbols)} symbols of each group`
              : countOf(matches.symbols.length, 'symbol')}
        </span>
      </div>
      <div className={styles.panes}>
        <div className={styles.symbols}>
          <MatchingSymbols
            matches={matches}
            title={headingOf(tile)}
            activeKey={active && keyOf(active)}
            groups={groupNames.length}
            onPick={(symbol) => setPicked(keyOf(symbol))}
          />
        </div>
        <div className={styles.values}>
          {active === undefined ? (
            matches.symbols === undefined && matches.error === null ? (
              <TileSkeleton shape="rows" />
            ) : null
          ) : (
            <SymbolValues key={keyOf(active)} tile={tile} symbol={active} columns={columns} />
          )}
        </div>
      </div>
    </div>
  )
}

/** Returns the matching symbols as an exported table. */
function tableOfSymbols(matches: readonly SymbolItem[]): ExportTable {
  const keys = [...new Set(matches.flatMap(({ symbols }) => Object.keys(symbols)))]
  return {
    columns: [...keys, 'Group'].map((name) => ({ name, kind: 'text' })),
    rows: matches.map(({ symbols, groupName }) => [...keys.map((key) => symbols[key] ?? null), groupName]),
  }
}

interface SymbolMatches {
  /** The matching symbols; undefined while loading and after an error. */
  symbols: SymbolItem[] | undefined
  /** Messages about ignored patterns, by the key of the field. */
  problems: Readonly<Record<string, string>>
  /** Whether there are more symbols than were searched. */
  limited: boolean
  error: Error | null
  retry: () => void
}

/** Returns the symbols of groups that match the typed filters. */
function useMatchingSymbols(groupNames: readonly string[], typed: TypedFilters): SymbolMatches {
  const { near, visible } = useTileNear()
  const text = plainText(typed)
  const symbols = useQuery({
    queryKey: [searchSymbols.name, 'tile', groupNames, text],
    enabled: near && groupNames.length > 0,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        groupNames.map((groupName) => {
          const query = `${text === '' ? '' : `*${text}*&`}groupName.keyword=${groupName}`
          return call(searchSymbols, { query: { query, size: maxSymbols } }, { signal })
        }),
      )
      return {
        items: pages.flatMap(({ items }) => items),
        limited: pages.some(({ items, totalSize }) => totalSize > items.length),
      }
    },
    placeholderData: (before) => before,
    refetchInterval: visible ? refreshEvery(intervals.listMs) : false,
  })
  const filters = JSON.stringify(typed)
  const applied = useMemo(() => appliedFilters(JSON.parse(filters) as TypedFilters), [filters])
  const isSimple = applied.every(isQuick)
  const quick = useMemo(
    () =>
      isSimple
        ? symbols.data?.items.filter((item) => meetsFilters(item.symbols, applied, matchesQuickly))
        : undefined,
    [symbols.data, applied, isSimple],
  )
  const matched = useQuery({
    // A refresh that returns the same symbols must not restart the search; otherwise the search might never reach its time
    // limit.
    queryKey: ['searchTile', 'matched', groupNames, text, numberOf(symbols.data), filters],
    enabled: !isSimple && symbols.data !== undefined,
    queryFn: async ({ signal }) => {
      const { items } = symbols.data!
      const symbolsOfItems = items.map((item) => item.symbols)
      const { met, problems } = await matchSymbols({ symbols: symbolsOfItems, filters: applied }, signal)
      return { items: met.map((index) => items[index]!), problems }
    },
    placeholderData: (before) => before,
    staleTime: Infinity,
    gcTime: 0,
  })
  const error = symbols.error ?? (isSimple ? null : matched.error)
  return {
    symbols: error ? undefined : isSimple ? quick : matched.data?.items,
    problems: isSimple ? noProblems : (matched.data?.problems ?? noProblems),
    limited: symbols.data?.limited === true,
    error,
    retry: () => void (symbols.error ? symbols : matched).refetch(),
  }
}

const noProblems = {}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Returns a stable number for an object. */
function numberOf(data: object | undefined): number {
  if (data === undefined) return 0
  const number = numbers.get(data) ?? ++lastNumber
  numbers.set(data, number)
  return number
}

function MatchingSymbols({
  matches,
  title,
  activeKey,
  groups,
  onPick,
}: {
  matches: SymbolMatches
  title: string
  activeKey: string | undefined
  groups: number
  onPick: (symbol: SymbolItem) => void
}) {
  const keys = useMemo(
    () => [...new Set((matches.symbols ?? []).flatMap(({ symbols }) => Object.keys(symbols)))],
    [matches.symbols],
  )
  const columns: Column<SymbolItem>[] = [
    ...keys.map((key, index) => ({
      id: key,
      header: key,
      width: 'minmax(90px, 1fr)',
      priority: index === 0 ? undefined : index,
      cell: ({ symbols }: SymbolItem) => symbols[key] ?? '',
      text: ({ symbols }: SymbolItem) => symbols[key] ?? '',
    })),
    ...(groups > 1
      ? [
          {
            id: 'groupName',
            header: 'Group',
            width: 'minmax(90px, 1fr)',
            quiet: true,
            priority: keys.length + 1,
            cell: ({ groupName }: SymbolItem) => groupName,
            text: ({ groupName }: SymbolItem) => groupName,
          },
        ]
      : []),
  ]
  if (matches.error) return <TileError error={matches.error} onRetry={matches.retry} />
  return (
    <DataTable
      label={`Symbols of ${title}`}
      columns={columns}
      rows={matches.symbols}
      rowKey={keyOf}
      activeKey={activeKey}
      onOpenRow={onPick}
      selected={undefined}
    />
  )
}

/** The newest values of one symbol. */
function SymbolValues({
  tile,
  symbol,
  columns,
}: {
  tile: Tile
  symbol: SymbolItem
  columns: readonly SearchColumn[]
}) {
  const { groupName, symbols } = symbol
  const names = JSON.stringify(columns.map(({ columnId }) => columnId))
  const wanted = useMemo(
    () => [{ groupName, symbols, valueColumnNames: JSON.parse(names) as string[] }],
    [groupName, symbols, names],
  )
  const data = useSeriesTile(tile, wanted)
  const { results, refreshedAt } = data.series
  const result = useMemo(() => results && mergeResults(results.map((loaded) => loaded.result)), [results])
  const { decimalPrecision } = data.range
  const active = useMemo(
    () => (result ? valueColumns(result, columns, decimalPrecision) : []),
    [result, columns, decimalPrecision],
  )
  useReportRefresh(tile.id, refreshedAt, undefined)
  const name = symbolName(symbols)
  return (
    <>
      <p className={styles.picked} title={`${groupName}: ${name}`}>
        {name} <span className={styles.range}>{data.rowLimit ?? describeRange(data.range)}</span>
      </p>
      <SeriesTileBody data={data} editing={false} icon={<IconSearch size={20} stroke={1.6} />} shape="rows">
        {result && result.rows.length > 0 ? (
          <DataTable
            label={`Values of ${name}`}
            columns={active}
            rows={result.rows}
            rowKey={(row) => row.join('\u0001')}
          />
        ) : null}
      </SeriesTileBody>
    </>
  )
}

/** Returns the date column, and the value columns that the tile selects, or all of them. */
function valueColumns(
  result: SeriesResult,
  columns: readonly SearchColumn[],
  precision: number | null,
): Column<string[]>[] {
  const inResult = resultColumns(result)
  const date = inResult.find(({ kind }) => kind === 'time')
  const values = inResult.filter(({ kind }) => kind === 'number' || kind === 'text')
  const wanted =
    columns.length > 0
      ? columns
      : values.map(({ name }) => ({ columnId: name, header: '', columnWidth: searchColumnWidth }))
  return [
    ...(date === undefined
      ? []
      : [
          {
            id: 'Date',
            header: 'Date',
            width: 'minmax(130px, 1fr)',
            cell: (row: string[]) => formatTimestamp(row[date.index]!),
            text: (row: string[]) => row[date.index]!,
          },
        ]),
    ...wanted.flatMap(({ columnId, header, columnWidth }): Column<string[]>[] => {
      const column = values.find(({ name }) => name === columnId)
      if (column === undefined) return []
      const isNumber = column.kind === 'number'
      const decimals = columnDecimals(result, column.index, precision)
      const formatCell = (row: string[]) =>
        isNumber
          ? formatCellNumber(row[column.index]!, { unit: '', unitOnFront: false, decimals })
          : row[column.index]!
      return [
        {
          id: columnId,
          header: header === '' ? columnId : header,
          width: columnWidth,
          ...(isNumber ? { align: 'end' as const } : {}),
          cell: formatCell,
          text: formatCell,
        },
      ]
    }),
  ]
}

function keyOf({ groupName, symbols }: SymbolItem): string {
  return symbolSignature(groupName, symbols)
}
