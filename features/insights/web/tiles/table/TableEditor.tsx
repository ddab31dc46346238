import { useMemo, useState } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Checkbox, IconButton, NumberField, Select, Tabs, TextField } from '@headwater/web-kit'
import type { Tile, TileDataPrep } from '../../../contract/index.ts'
import { ColorField } from '../../components/ColorField.tsx'
import styles from '../../components/Editor.module.css'
import { RangeFields } from '../../components/RangeFields.tsx'
import { RuleFields } from '../../components/RuleFields.tsx'
import { SeriesRows } from '../../components/SeriesRows.tsx'
import { mergeAnswers } from '../../series/merge-answers.ts'
import { SourceFields } from '../../sources/SourceFields.tsx'
import { useSourceColumns } from '../../sources/use-source-columns.ts'
import type { TileEditorProps } from '../tile-view.ts'
import { orderedColumns } from './table-rows.ts'
import {
  tableTile,
  textAligns,
  textStyles,
  type TableColumn,
  type TableRule,
  type TableTile,
} from './table-tile.ts'

const tabs = ['Data', 'Columns', 'Style'].map((name) => ({ value: name, label: name }))
const small = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The settings of a table. */
export default function TableEditor({
  tile,
  dataPrep,
  onChange,
  onChangeData,
  commonFields,
}: TileEditorProps) {
  const table = tableTile.parse(tile)
  const [tab, setTab] = useState('Data')
  const columns = useColumns(tile, dataPrep, table)
  const names = columns.map(({ columnId }) => ({ value: columnId, label: columnId }))
  return (
    <>
      <Tabs label="Settings of the table" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <SourceFields tile={tile} dataPrep={dataPrep} onChange={onChange}>
              <SeriesRows dataPrep={dataPrep} onChangeData={onChangeData} />
              <RangeFields tile={tile} onChange={onChange} />
            </SourceFields>
          </>
        ) : null}
        {tab === 'Columns' ? <ColumnFields columns={columns} onChange={onChange} /> : null}
        {tab === 'Style' ? (
          <>
            {commonFields}
            <SortFields table={table} names={names} onChange={onChange} />
            <RuleFields<TableRule>
              rules={table.conditionalFormatting}
              targets={[{ value: 'ALL', label: 'All columns' }, ...names]}
              newRule={() => ({
                applyTo: 'ALL',
                condition: '>',
                conditionValueA: '',
                conditionValueB: '',
                textColor: '--series-4',
              })}
              onChange={(conditionalFormatting, topic) => onChange({ conditionalFormatting }, topic)}
              look={(rule, set) => (
                <div className={styles.pair}>
                  <ColorField
                    label="Text"
                    value={rule.textColor}
                    onChange={(textColor) => set({ textColor })}
                  />
                  <ColorField
                    label="Background"
                    value={rule.bgColor}
                    onChange={(bgColor) => set({ bgColor })}
                  />
                </div>
              )}
            />
          </>
        ) : null}
      </div>
    </>
  )
}

/** The columns of the data that are shown at the moment, each with its settings. */
function useColumns(tile: Tile, dataPrep: TileDataPrep, table: TableTile): TableColumn[] {
  const { answers } = useSourceColumns(tile, dataPrep)
  return useMemo(
    () =>
      answers === undefined
        ? table.columns
        : orderedColumns(mergeAnswers(answers.map(({ answer }) => answer)), table).map(
            ({ settings }) => settings,
          ),
    // oxlint-disable-next-line react/exhaustive-deps -- the columns of the tile, not the object made of them at each drawing
    [answers, tile.columns],
  )
}

function ColumnFields({
  columns,
  onChange,
}: {
  columns: readonly TableColumn[]
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  const [open, setOpen] = useState(-1)
  if (columns.length === 0)
    return <p className={styles.quiet}>Choose the data first; their columns then stand here.</p>
  return columns.map((column, index) => {
    const isOpen = open === index
    const set = (change: Partial<TableColumn>) =>
      onChange(
        { columns: columns.with(index, { ...column, ...change }) },
        `column ${index} ${Object.keys(change).join()}`,
      )
    const moveTo = (to: number) => {
      onChange({ columns: columns.toSpliced(index, 1).toSpliced(to, 0, column) })
      setOpen(to)
    }
    return (
      <div key={column.columnId} className={styles.item}>
        <button
          type="button"
          className={styles.itemHead}
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? -1 : index)}
        >
          <span>
            {column.header || column.columnId}
            {column.hidden ? <span className={styles.quiet}> · hidden</span> : null}
          </span>
          {isOpen ? <IconChevronUp size={14} stroke={1.6} /> : <IconChevronDown size={14} stroke={1.6} />}
        </button>
        {isOpen ? (
          <div className={styles.itemBody}>
            <Checkbox
              label="Show this column"
              checked={!column.hidden}
              onChange={(shown) => set({ hidden: !shown })}
            />
            <TextField
              label="Header"
              value={column.header}
              placeholder={column.columnId}
              maxLength={200}
              onChange={(header) => set({ header })}
            />
            <div className={styles.pair}>
              <Select
                label="Align"
                value={column.textAlign ?? ''}
                options={[
                  { value: '', label: 'Automatic' },
                  ...textAligns.map((value) => ({ value, label: capital(value) })),
                ]}
                onChange={(value) => set({ textAlign: (value || undefined) as TableColumn['textAlign'] })}
              />
              <Select
                label="Style"
                value={column.textStyle}
                options={textStyles.map((value) => ({ value, label: capital(value) }))}
                onChange={(value) => set({ textStyle: value as TableColumn['textStyle'] })}
              />
            </div>
            <Select
              label="Holds"
              value={column.isNumber === undefined ? '' : column.isNumber ? 'number' : 'text'}
              options={[
                { value: '', label: 'Automatic' },
                { value: 'number', label: 'Numbers' },
                { value: 'text', label: 'Text' },
              ]}
              onChange={(value) => set({ isNumber: value === '' ? undefined : value === 'number' })}
            />
            <div className={styles.pair}>
              <TextField label="Unit" value={column.unit} maxLength={30} onChange={(unit) => set({ unit })} />
              <NumberField
                label="Width"
                value={column.columnWidth}
                min={40}
                max={1000}
                placeholder="auto"
                onChange={(columnWidth) => set({ columnWidth })}
              />
            </div>
            <Checkbox
              label="Unit in front"
              checked={column.unitOnFront}
              onChange={(unitOnFront) => set({ unitOnFront })}
            />
            <div className={styles.pair}>
              <ColorField
                label="Text colour"
                value={column.textColor}
                onChange={(textColor) => set({ textColor })}
              />
              <ColorField
                label="Background"
                value={column.bgColor}
                onChange={(bgColor) => set({ bgColor })}
              />
            </div>
            <NumberField
              label="Font size"
              value={column.fontSize}
              min={8}
              max={32}
              placeholder="13"
              onChange={(fontSize) => set({ fontSize })}
            />
            <div className={styles.tools}>
              <IconButton
                label="Move left"
                icon={<IconArrowUp {...small} />}
                disabled={index === 0}
                onClick={() => moveTo(index - 1)}
              />
              <IconButton
                label="Move right"
                icon={<IconArrowDown {...small} />}
                disabled={index === columns.length - 1}
                onClick={() => moveTo(index + 1)}
              />
            </div>
          </div>
        ) : null}
      </div>
    )
  })
}

function SortFields({
  table,
  names,
  onChange,
}: {
  table: TableTile
  names: readonly { value: string; label: string }[]
  onChange: (fields: Partial<Tile>) => void
}) {
  const sortings = table.sortingColumns
  const free = names.filter(({ value }) => sortings.every(({ columnName }) => columnName !== value))
  return (
    <>
      <p className={styles.heading}>Sort by</p>
      {sortings.map((sorting, index) => (
        <div key={sorting.columnName} className={styles.row}>
          <Select
            label={sorting.columnName}
            value={sorting.sortOrder}
            options={[
              { value: 'Ascending', label: 'Ascending' },
              { value: 'Descending', label: 'Descending' },
            ]}
            onChange={(sortOrder) =>
              onChange({
                sortingColumns: sortings.with(index, { ...sorting, sortOrder: sortOrder as 'Ascending' }),
              })
            }
          />
          <IconButton
            label={`Do not sort by ${sorting.columnName}`}
            icon={<IconTrash {...small} />}
            onClick={() => onChange({ sortingColumns: sortings.toSpliced(index, 1) })}
          />
        </div>
      ))}
      {free.length === 0 ? null : (
        <Select
          label="Add a column to sort by"
          hideLabel
          value={null}
          placeholder={sortings.length === 0 ? 'Newest first' : 'Add a column'}
          options={free}
          onChange={(columnName) => {
            if (columnName !== null)
              onChange({
                sortingColumns: [...sortings, { id: columnName, columnName, sortOrder: 'Ascending' }],
              })
          }}
        />
      )}
    </>
  )
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
