import { useMemo } from 'react'
import type { Tile, TileDataPrep } from '@headwater/tile-data/contract'
import {
  mergeResults,
  tileSourceOf,
  withChoices,
  withGroupNames,
  withLookups,
  orderedColumns,
  tableTile,
  type TableColumn,
  type TableTile,
} from '@headwater/tile-data/core'
import { Button, type FormItems, SchemaForm } from '@headwater/web-kit'
import styles from '../../editor/Editor.module.css'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { RangeFields } from '../../editor/RangeFields.tsx'
import { SeriesRows } from '../../editor/SeriesRows.tsx'
import { SourceFields } from '../../editor/SourceFields.tsx'
import { useSourceColumns } from '../../editor/use-source-columns.ts'
import type { TileEditorProps } from '../tile-view.ts'
import { ActionFields } from './ActionFields.tsx'
import { ColumnFields } from './ColumnFields.tsx'
import { RowLooks } from './RowLooks.tsx'
import { SortFields } from './SortFields.tsx'
import { TableRules } from './TableRules.tsx'
import { TooltipFields } from './TooltipFields.tsx'
import { readTypedRows, withDuplicate, withNewRow, writeTypedRows, type TypedRows } from './typed-rows.ts'

const frozen: FormItems<TableTile> = [
  [
    { field: 'stickyRows', label: 'Frozen rows' },
    { field: 'stickyColumns', label: 'Frozen columns' },
  ],
]
const dates: FormItems<TableTile> = [
  {
    field: 'dateFormat',
    label: 'Date format',
    placeholder: '2026-01-31 12:00:00',
    hint: 'For example dd.MM.yyyy HH:mm or d\u00a0MMM\u00a0yyyy.',
    maxLength: 100,
  },
]

/** The settings of a table. */
export default function TableEditor({
  tile,
  dataPrep,
  onChange,
  onChangeData,
  isPicking,
  onPicking,
  commonFields,
}: TileEditorProps) {
  const table = tableTile.parse(tile)
  const columns = useColumns(tile, dataPrep, table)
  const names = columns.map(({ columnId, header }) => ({
    value: columnId,
    label: header === '' || header === columnId ? columnId : `${header} · ${columnId}`,
  }))
  const form = { schema: tableTile, value: table, onChange }
  return (
    <EditorTabs
      label="Table settings"
      tabs={{
        Data: (
          <>
            <SourceFields tile={tile} dataPrep={dataPrep} onChange={onChange}>
              <SeriesRows {...{ dataPrep, onChangeData, isPicking, onPicking }} />
              <RangeFields tile={tile} onChange={onChange} />
            </SourceFields>
            <TypedRowButtons tile={tile} dataPrep={dataPrep} onChange={onChange} />
          </>
        ),
        Columns: <ColumnFields columns={columns} table={table} onChange={onChange} />,
        Rows: (
          <>
            <SortFields table={table} names={names} onChange={onChange} />
            <SchemaForm {...form} items={frozen} />
            <RowLooks table={table} onChange={onChange} />
          </>
        ),
        Style: (
          <>
            {commonFields}
            <SchemaForm {...form} items={dates} />
            <TableRules table={table} names={names} onChange={onChange} />
          </>
        ),
        Menu: (
          <>
            <TooltipFields table={table} names={names} onChange={onChange} />
            <ActionFields tile={tile} table={table} onChange={onChange} />
          </>
        ),
      }}
    />
  )
}

/** Buttons that add typed rows. Their cells are edited in the table. */
function TypedRowButtons({
  tile,
  dataPrep,
  onChange,
}: {
  tile: Tile
  dataPrep: TileDataPrep
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  const source = tileSourceOf(tile, dataPrep)
  if (source.kind !== 'text') return null
  const typed = readTypedRows(source.text)
  const set = (next: TypedRows) => onChange({ dataContent: writeTypedRows(next) })
  return (
    <>
      <div className={styles.pair}>
        <Button onClick={() => set(withNewRow(typed))}>Add row</Button>
        <Button
          disabled={typed.rows.length === 0}
          onClick={() => set(withDuplicate(typed, typed.rows.length - 1))}
        >
          Duplicate row
        </Button>
      </div>
      <p className={styles.quiet}>
        Click a table cell to edit it. In a cell, Insert adds a row below and Ctrl+D duplicates the row.
      </p>
    </>
  )
}

/** Returns the current columns with their settings. */
function useColumns(tile: Tile, dataPrep: TileDataPrep, table: TableTile): TableColumn[] {
  const { results } = useSourceColumns(tile, dataPrep)
  return useMemo(
    () => {
      if (results === undefined) return table.columns
      const data = mergeResults(
        table.showGroupName && results.every(({ isTable }) => isTable !== true)
          ? withGroupNames(results, dataPrep.symbols)
          : results.map(({ result }) => result),
      )
      const sample = { ...data, rows: data.rows.slice(0, 1) }
      const all = withLookups(withChoices(sample, table, {}), table, [])
      return orderedColumns(all, table).map(({ settings }) => settings)
    },
    // oxlint-disable-next-line react/exhaustive-deps -- the columns of the tile, not the object created at each render
    [results, tile.columns, tile.showGroupName],
  )
}
