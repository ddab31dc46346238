import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Tile } from '@headwater/tile-data/contract'
import type { TableTile } from '@headwater/tile-data/core'
import { IconButton, Select } from '@headwater/web-kit'
import styles from '../../editor/Editor.module.css'

const small = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The sort order of a table. */
export function SortFields({
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
            label={`Remove sorting by ${sorting.columnName}`}
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
