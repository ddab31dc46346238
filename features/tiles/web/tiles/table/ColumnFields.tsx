import { useState } from 'react'
import type { Tile } from '@headwater/tile-data/contract'
import {
  anyValue,
  asyncFilter,
  footerValues,
  groupColumnId,
  tableColumn,
  tableTile,
  textAligns,
  textStyles,
  type AsyncFilter,
  type ColumnType,
  type TableColumn,
  type TableTile,
} from '@headwater/tile-data/core'
import { Checkbox, Combobox, type FormItems, SchemaForm, Select } from '@headwater/web-kit'
import { colourControl } from '../../editor/ColorField.tsx'
import styles from '../../editor/Editor.module.css'
import { EntryList } from '../../editor/EntryList.tsx'
import { FoldedItem } from '../../editor/FoldedItem.tsx'
import { ListTools } from '../../editor/ListTools.tsx'
import { groupControl } from '@headwater/groups/web'
import { capital } from './capital.ts'

/** The settings of the columns of a table. One of them is open. */
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
    return <p className={styles.quiet}>Choose the data first. Its columns then appear here.</p>
  const items = columns.map((column, index) => {
    const isOpen = open === index
    const isOwn = column.columnType !== 'text'
    return (
      <FoldedItem
        key={column.columnId}
        name={nameOf(column)}
        note={column.hidden ? 'hidden' : ''}
        open={isOpen}
        onToggle={() => setOpen(isOpen ? -1 : index)}
      >
        <SchemaForm
          schema={tableColumn}
          items={columnItems(columns)}
          value={column}
          onChange={(change) =>
            onChange(
              { columns: columns.with(index, { ...column, ...change }) },
              `column ${index} ${Object.keys(change).join()}`,
            )
          }
        />
        <div className={styles.tools}>
          <ListTools
            list={columns}
            index={index}
            labels={{
              up: 'Move left',
              down: 'Move right',
              ...(isOwn ? { remove: `Remove the settings of ${column.header || column.columnId}` } : {}),
            }}
            onChange={(next, at) => {
              onChange({ columns: next })
              setOpen(at)
            }}
          />
        </div>
      </FoldedItem>
    )
  })
  return (
    <>
      <SchemaForm
        schema={tableTile}
        items={[{ field: 'showGroupName', label: 'Show group names', as: 'checkbox' }]}
        value={table}
        onChange={onChange}
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

function columnItems(columns: readonly TableColumn[]): FormItems<TableColumn> {
  return [
    {
      field: 'hidden',
      label: 'Show this column',
      control: ({ label, value, onChange }) => (
        <Checkbox label={label} checked={!value} onChange={(isVisible) => onChange(!isVisible)} />
      ),
    },
    {
      field: 'header',
      label: 'Header',
      placeholder: (column) => nameOf({ ...column, header: '' }),
      maxLength: 200,
    },
    ...typeItems(columns),
    [
      {
        field: 'textAlign',
        label: 'Align',
        none: 'Automatic',
        choices: textAligns.map((value) => ({ value, label: capital(value) })),
      },
      {
        field: 'textStyle',
        label: 'Style',
        choices: textStyles.map((value) => ({ value, label: capital(value) })),
      },
    ],
    {
      field: 'isNumber',
      label: 'Value type',
      none: 'Automatic',
      choices: { true: 'Numbers', false: 'Text' },
    },
    [
      { field: 'unit', label: 'Unit', maxLength: 30 },
      { field: 'columnWidth', label: 'Width', placeholder: 'auto' },
    ],
    { field: 'unitOnFront', label: 'Unit before the value', as: 'checkbox' },
    [
      { field: 'textColor', label: 'Text colour', control: colourControl },
      { field: 'bgColor', label: 'Background', control: colourControl },
    ],
    { field: 'fontSize', label: 'Font size', placeholder: '13' },
    {
      field: 'footer',
      label: 'Footer',
      choices: footerValues.map((value) => ({ value, label: value === '' ? 'Nothing' : value })),
    },
  ]
}

/** Types of columns by the source of their cells. */
function typeItems(columns: readonly TableColumn[]): FormItems<TableColumn> {
  return [
    { field: 'columnType', label: 'Column type', choices: types },
    {
      when: ({ columnType }) => columnType === 'dropdown' || columnType === 'queryDropdown',
      items: [
        {
          field: 'columnDropdownGroupName',
          label: 'Group',
          clearable: true,
          control: groupControl,
        },
        {
          field: 'columnDropdownKey',
          label: 'Symbol key',
          placeholder: ({ columnId }) => columnId,
          hint: ({ columnDropdownGroupName }) =>
            columnDropdownGroupName === ''
              ? 'Without a group, readers choose from the values of this column.'
              : 'The values of this key are the choices.',
        },
      ],
    },
    {
      when: ({ columnType }) => columnType === 'async',
      items: [
        { field: 'columnAsyncGroupName', label: 'Group of the series', control: groupControl },
        {
          field: 'columnAsyncColumn',
          label: 'Value column',
          placeholder: ({ columnId }) => columnId,
          hint: 'Its latest value is shown.',
        },
        {
          section: 'Series lookup',
          items: [
            {
              part: ({ asyncFilters, columnId }, set) => (
                <FilterList
                  filters={asyncFilters}
                  columns={columns.filter((each) => each.columnId !== columnId)}
                  onChange={(filters) => set({ asyncFilters: filters })}
                />
              ),
            },
            { note: '{{Column}} is replaced with the cell value.' },
          ],
        },
      ],
    },
  ]
}

/** The filters that select the series of a row. */
function FilterList({
  filters,
  columns,
  onChange,
}: {
  filters: readonly AsyncFilter[]
  columns: readonly TableColumn[]
  onChange: (filters: AsyncFilter[]) => void
}) {
  const fromRow = columns.map(({ columnId }) => `{{${columnId}}}`)
  const items: FormItems<AsyncFilter> = [
    [
      { field: 'name', label: 'Symbol key' },
      {
        field: 'value',
        label: 'Value',
        control: (props) => (
          <Combobox
            {...props}
            allowFree
            value={props.value === anyValue.value ? anyValue.label : props.value}
            options={[anyValue.label, ...fromRow].map((value) => ({ value, label: value }))}
            onChange={(text) => props.onChange(text === anyValue.label ? anyValue.value : (text ?? ''))}
          />
        ),
      },
    ],
  ]
  return (
    <EntryList
      kind="Filter"
      schema={asyncFilter}
      items={items}
      entries={filters}
      newEntry={() => ({ name: '', value: fromRow[0] ?? '' })}
      onChange={onChange}
    />
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
