import { useState } from 'react'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button, Combobox, Popover } from '@headwater/web-kit'
import type { SymbolMap } from '../../contract/index.ts'
import { useKeyValues } from '../symbols-client.ts'
import styles from './FiltersPopover.module.css'

/** Replaces the filters by the result of a function of the current ones. */
type FiltersChange = (change: (filters: SymbolMap) => SymbolMap) => void

/** Popover to filter by values of keys; `*` matches any text. */
export function FiltersPopover(props: {
  groupName: string
  /** Names of the keys to filter by. */
  keyNames: readonly string[]
  filters: SymbolMap
  onChange: FiltersChange
}) {
  const { groupName, keyNames, filters, onChange } = props
  const [open, setOpen] = useState(false)
  const count = Object.keys(filters).length
  return (
    <Popover
      label="Filters"
      open={open}
      onClose={() => setOpen(false)}
      position="bottom-end"
      width={280}
      trigger={
        <Button
          icon={<IconFilter size={16} stroke={1.6} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {count === 0 ? 'Filter' : `Filter ${count}`}
        </Button>
      }
    >
      <div className={styles.fields} tabIndex={-1} data-autofocus>
        {keyNames.map((name) => (
          <KeyFilter
            key={name}
            groupName={groupName}
            name={name}
            value={filters[name] ?? ''}
            onChange={(value) =>
              onChange((current) => {
                const { [name]: _, ...rest } = current
                return value === '' ? rest : { ...rest, [name]: value }
              })
            }
          />
        ))}
      </div>
      <Button variant="quiet" size="small" disabled={count === 0} onClick={() => onChange(() => ({}))}>
        Clear all
      </Button>
    </Popover>
  )
}

function KeyFilter(props: {
  groupName: string
  name: string
  value: string
  onChange: (value: string) => void
}) {
  const { groupName, name, value, onChange } = props
  const [text, setText] = useState('')
  const values = useKeyValues(groupName, name, text)
  const matches = values.data?.items ?? []
  const options = [...new Set([...(value === '' ? [] : [value]), ...matches])]
  return (
    <Combobox
      label={name}
      placeholder="Any value"
      clearable
      allowFree
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      onSearch={setText}
      total={values.data?.totalSize}
      loading={values.isFetching}
      options={options.map((each) => ({ value: each, label: each }))}
    />
  )
}

/** Active filters, each with a button to remove it. */
export function FilterChips({ filters, onChange }: { filters: SymbolMap; onChange: FiltersChange }) {
  const names = Object.keys(filters)
  if (names.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Filters">
      {names.map((name) => (
        <li key={name}>
          <span>
            {name} = {filters[name]}
          </span>
          <button
            type="button"
            aria-label={`Remove the filter ${name}`}
            onClick={() =>
              onChange((current) => {
                const { [name]: _, ...rest } = current
                return rest
              })
            }
          >
            <IconX size={12} stroke={1.8} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}
