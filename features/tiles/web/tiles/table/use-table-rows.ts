import { useMemo, useState } from 'react'
import {
  type SeriesResult,
  type ChosenCells,
  isChoice,
  lookupRange,
  lookups,
  rowKeys,
  tableOf,
  withChoices,
  withLookups,
  orderedColumns,
  sortRows,
  storedSortings,
  type Sorting,
  tableTile,
  type TableTile,
} from '@headwater/tile-data/core'
import { useSeries } from '@headwater/tile-data/web'
import { type SeriesTileData, useSeriesTile } from '../../card/SeriesTile.tsx'
import { useTileNear } from '../../card/TileCard.tsx'
import type { TileViewProps } from '../tile-view.ts'
import { useTypedRows } from './use-typed-rows.ts'

type Row = readonly string[]

const noChoices: ChosenCells = {}

/** Loads the rows of a table tile, computes its columns and sorts it. */
export function useTableRows({ tile, dataPrep, card }: TileViewProps) {
  const definition = useMemo(() => tableTile.parse(tile), [tile])
  const data = useSeriesTile(tile, dataPrep.symbols)
  const { decimalPrecision } = data.range
  const [readerChoices, setReaderChoices] = useState<ChosenCells>(noChoices)
  const cells = card.onChange === undefined ? merged(definition.cells, readerChoices) : definition.cells
  const result = useTableResult(data, definition, cells)
  const typed = useTypedRows(tile, data.series.source, card)
  const all = useMemo(
    () => (result ? orderedColumns(result, definition, decimalPrecision) : []),
    [result, definition, decimalPrecision],
  )
  const columns = useMemo(() => all.filter(({ settings }) => !settings.hidden), [all])
  const [clicked, setClicked] = useState<Sorting>()
  const sortings = clicked ? [clicked] : storedSortings(definition)
  const sortKey = JSON.stringify(sortings)
  const rows = useMemo(
    () => (result ? sortRows(result.rows, columns, JSON.parse(sortKey) as Sorting[]) : []),
    [result, columns, sortKey],
  )
  const hasChoices = definition.columns.some(({ columnType }) => isChoice(columnType))
  const positions = useMemo(
    () =>
      result !== undefined && (hasChoices || typed.isEditable)
        ? new Map(result.rows.map((row, position) => [row as Row, position]))
        : undefined,
    [result, hasChoices, typed.isEditable],
  )
  const rowKeyOf = useMemo(() => (result && hasChoices ? rowKeys(result) : undefined), [result, hasChoices])

  /** Returns the position of a row in the data, which is needed to change rows; -1 if rows cannot be changed. */
  function positionOf(row: Row): number {
    return positions?.get(row) ?? -1
  }

  function choose(row: Row, columnId: string, value: string): void {
    const position = positionOf(row)
    if (position === -1 || rowKeyOf === undefined) return
    if (typed.isEditable) return typed.change(position, columnId, value)
    const key = rowKeyOf(row, position)
    const next = (chosen: ChosenCells) => ({ ...chosen, [key]: { ...chosen[key], [columnId]: value } })
    if (card.onChange === undefined) setReaderChoices(next)
    else card.onChange({ cells: next(definition.cells) }, `cell ${key} ${columnId}`)
  }

  /** Changes the text of a typed cell; undefined when the rows are not typed or the insight is not being edited. */
  const change =
    typed.isEditable && positions !== undefined
      ? (row: Row, columnId: string, text: string) => typed.change(positionOf(row), columnId, text)
      : undefined
  return {
    definition,
    data,
    result,
    all,
    columns,
    rows,
    sortings,
    setClicked,
    typed,
    positionOf,
    choose,
    change,
  }
}

/** State of a table tile. `all`: all columns, including hidden ones; `columns`: the visible columns. */
export type TableRows = ReturnType<typeof useTableRows>

function merged(stored: ChosenCells, own: ChosenCells): ChosenCells {
  if (own === noChoices) return stored
  const all: Record<string, Readonly<Record<string, string>>> = { ...stored }
  for (const [key, chosen] of Object.entries(own)) all[key] = { ...stored[key], ...chosen }
  return all
}

/** Returns the data of a table with the cells that readers chose and the values that async columns look up. */
function useTableResult(
  { series, range, symbols }: SeriesTileData,
  table: TableTile,
  cells: ChosenCells,
): SeriesResult | undefined {
  const { near, visible } = useTileNear()
  const { results } = series
  const { showGroupName } = table
  const data = useMemo(
    () => results && tableOf(results, { showGroupName }, symbols),
    [results, showGroupName, symbols],
  )
  const chosen = useMemo(() => data && withChoices(data, table, cells), [data, table, cells])
  const wanted = useMemo(() => (chosen === undefined ? [] : lookups(chosen, table)), [chosen, table])
  const { timeZone, decimalPrecision } = range
  const newestOnly = useMemo(() => lookupRange({ timeZone, decimalPrecision }), [timeZone, decimalPrecision])
  const lookedUp = useSeries(wanted, newestOnly, { enabled: near, watched: visible })
  return useMemo(
    () => chosen && withLookups(chosen, table, lookedUp.results ?? []),
    [chosen, table, lookedUp.results],
  )
}
