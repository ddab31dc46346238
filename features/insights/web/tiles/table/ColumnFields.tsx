import { useState } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { GroupPicker } from '@headwater/groups/web'
import { Checkbox, Combobox, IconButton, NumberField, Select, TextField } from '@headwater/web-kit'
import type { Tile } from '../../../contract/index.ts'
import { ColorField } from '../../components/ColorField.tsx'
import styles from '../../components/Editor.module.css'
import { EntryList } from '../../components/EntryList.tsx'
import { FoldedItem } from '../../components/FoldedItem.tsx'
import { anyValue } from '../../../contract/params/param-set.ts'
import {
  footerValues,
  groupColumnId,
  tableColumn,
  textAligns,
  textStyles,
  type AsyncFilter,
  type ColumnType,
  type TableColumn,
  type TableTile,
} from '../../../contract/tiles/table/table-tile.ts'

const small = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The columns of a table, one of them open with all its settings. */
export function ColumnFields({
  columns,
  table,
  onChange,
}: {
  columns: readonly TableColumn[]
  table: TableTile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  const [open, setOpen] = useState(-1)
  if (columns.length === 0)
    return <p className={styles.quiet}>Choose the data first; their columns then stand here.</p>
  const items = columns.map((column, index) => {
    const isOpen = open === index
    const set = (change: Partial<TableColumn>) =>
      onChange(
        { columns: columns.with(index, { ...column, ...change }) },
        `column ${index} ${Object.keys(change).join()}`,
      )
    const isOwn = column.columnType !== 'text'
    const moveTo = (to: number) => {
      onChange({ columns: columns.toSpliced(index, 1).toSpliced(to, 0, column) })
      setOpen(to)
    }
    return (
      <FoldedItem
        key={column.columnId}
        name={nameOf(column)}
        note={column.hidden ? 'hidden' : ''}
        open={isOpen}
        onToggle={() => setOpen(isOpen ? -1 : index)}
      >
        <Checkbox
          label="Show this column"
          checked={!column.hidden}
          onChange={(shown) => set({ hidden: !shown })}
        />
        <TextField
          label="Header"
          value={column.header}
          placeholder={nameOf({ ...column, header: '' })}
          maxLength={200}
          onChange={(header) => set({ header })}
        />
        <TypeFields column={column} columns={columns} onChange={set} />
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
          label="Unit before the value"
          checked={column.unitOnFront}
          onChange={(unitOnFront) => set({ unitOnFront })}
        />
        <div className={styles.pair}>
          <ColorField
            label="Text colour"
            value={column.textColor}
            onChange={(textColor) => set({ textColor })}
          />
          <ColorField label="Background" value={column.bgColor} onChange={(bgColor) => set({ bgColor })} />
        </div>
        <NumberField
          label="Font size"
          value={column.fontSize}
          min={8}
          max={32}
          placeholder="13"
          onChange={(fontSize) => set({ fontSize })}
        />
        <Select
          label="Footer"
          value={column.footer}
          options={footerValues.map((value) => ({ value, label: value === '' ? 'Nothing' : value }))}
          onChange={(footer) => set({ footer: (footer ?? '') as TableColumn['footer'] })}
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
          {isOwn ? (
            <IconButton
              label={`Remove the settings of ${column.header || column.columnId}`}
              icon={<IconTrash {...small} />}
              onClick={() => onChange({ columns: columns.toSpliced(index, 1) })}
            />
          ) : null}
        </div>
      </FoldedItem>
    )
  })
  return (
    <>
      <Checkbox
        label="Show group names"
        checked={table.showGroupName}
        onChange={(showGroupName) => onChange({ showGroupName })}
      />
      {items}
      <Select
        label="Add a column"
        hideLabel
        value={null}
        placeholder="Add a column"
        options={types.filter(({ value }) => value !== 'text')}
        onChange={(type) => {
          const columnId = freeName(type === 'async' ? 'Lookup' : 'Choice', columns)
          onChange({ columns: [...columns, tableColumn.parse({ columnId, columnType: type })] })
          setOpen(columns.length)
        }}
      />
    </>
  )
}

const types: { value: ColumnType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'dropdown', label: 'Dropdown' },
  { value: 'queryDropdown', label: 'Query dropdown' },
  { value: 'async', label: 'Async (time-series data)' },
]

/** Where the cells of a column come from. */
function TypeFields({
  column,
  columns,
  onChange,
}: {
  column: TableColumn
  columns: readonly TableColumn[]
  onChange: (change: Partial<TableColumn>) => void
}) {
  const { columnType } = column
  return (
    <>
      <Select
        label="Column type"
        value={columnType}
        options={types}
        onChange={(type) => onChange({ columnType: (type ?? 'text') as ColumnType })}
      />
      {columnType === 'dropdown' || columnType === 'queryDropdown' ? (
        <>
          <GroupPicker
            label="Values of the group"
            value={column.columnDropdownGroupName === '' ? null : column.columnDropdownGroupName}
            writeOnly={false}
            clearable
            onChange={(name) => onChange({ columnDropdownGroupName: name ?? '' })}
          />
          <TextField
            label="Symbol key"
            value={column.columnDropdownKey}
            placeholder={column.columnId}
            hint={
              column.columnDropdownGroupName === ''
                ? 'Without a group, the column values in the data are the choices.'
                : 'The values of this key are the choices.'
            }
            onChange={(columnDropdownKey) => onChange({ columnDropdownKey })}
          />
        </>
      ) : null}
      {columnType === 'async' ? (
        <>
          <GroupPicker
            label="Group of the series"
            value={column.columnAsyncGroupName === '' ? null : column.columnAsyncGroupName}
            writeOnly={false}
            onChange={(name) => onChange({ columnAsyncGroupName: name ?? '' })}
          />
          <TextField
            label="Value column"
            value={column.columnAsyncColumn}
            placeholder={column.columnId}
            hint="Its latest value is shown."
            onChange={(columnAsyncColumn) => onChange({ columnAsyncColumn })}
          />
          <FilterFields
            filters={column.asyncFilters}
            columns={columns.filter(({ columnId }) => columnId !== column.columnId)}
            onChange={(asyncFilters) => onChange({ asyncFilters })}
          />
        </>
      ) : null}
    </>
  )
}

/** Which series belongs to a row: symbol keys, and what they are. */
function FilterFields({
  filters,
  columns,
  onChange,
}: {
  filters: readonly AsyncFilter[]
  columns: readonly TableColumn[]
  onChange: (filters: AsyncFilter[]) => void
}) {
  const fromRow = columns.map(({ columnId }) => `{{${columnId}}}`)
  return (
    <>
      <p className={styles.heading}>Series of a row</p>
      <EntryList
        kind="Filter"
        entries={filters}
        newEntry={() => ({ name: '', value: fromRow[0] ?? '' })}
        onChange={onChange}
      >
        {(filter, set) => (
          <div className={styles.pair}>
            <TextField label="Symbol key" value={filter.name} onChange={(name) => set({ name })} />
            <Combobox
              label="Is"
              allowFree
              value={filter.value === anyValue.value ? anyValue.label : filter.value}
              options={[anyValue.label, ...fromRow].map((value) => ({ value, label: value }))}
              onChange={(text) => set({ value: text === anyValue.label ? anyValue.value : (text ?? '') })}
            />
          </div>
        )}
      </EntryList>
      <p className={styles.quiet}>{'{{Column}} stands for what is in that column of the row.'}</p>
    </>
  )
}

function nameOf({ header, columnId }: TableColumn): string {
  return header || (columnId === groupColumnId ? 'Group name' : columnId)
}

function freeName(name: string, columns: readonly TableColumn[]): string {
  const isTaken = (text: string) => columns.some(({ columnId }) => columnId === text)
  if (!isTaken(name)) return name
  let number = 2
  while (isTaken(`${name} ${number}`)) number++
  return `${name} ${number}`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
