import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { listSymbolValues, type SymbolMap } from '@headwater/symbols/contract'
import { call, Combobox, routeKey } from '@headwater/web-kit'
import { useKeyNames } from './use-key-names.ts'
import styles from './SymbolsTab.module.css'

/** Maximum number of keys with their own field; other keys can be searched. */
const maxKeyFields = 8
const valuesSize = 100

/** Filter fields for the symbol keys of a group; `*` matches any text. */
export function KeyFilters({
  groupName,
  filters,
  onChange,
}: {
  groupName: string
  filters: SymbolMap
  onChange: (filters: SymbolMap) => void
}) {
  const keys = useKeyNames(groupName)
  const names = [...new Set([...Object.keys(filters), ...(keys.data ?? [])])].slice(0, maxKeyFields)
  return names.map((name) => (
    <KeyFilter
      key={name}
      groupName={groupName}
      name={name}
      value={filters[name] ?? null}
      onChange={(value) => {
        const { [name]: _former, ...others } = filters
        onChange(value === null ? others : { ...others, [name]: value })
      }}
    />
  ))
}

function KeyFilter({
  groupName,
  name,
  value,
  onChange,
}: {
  groupName: string
  name: string
  value: string | null
  onChange: (value: string | null) => void
}) {
  const [wanted, setWanted] = useState(false)
  const input = {
    query: { limit: valuesSize },
    body: { groupName, key: name, query: value === null || value.includes('*') ? (value ?? '') : '' },
  }
  const values = useQuery({
    queryKey: routeKey(listSymbolValues, input),
    queryFn: ({ signal }) => call(listSymbolValues, input, { signal }),
    enabled: wanted,
    placeholderData: (previous) => previous,
  })
  return (
    <div className={styles.key} onFocus={() => setWanted(true)}>
      <Combobox
        label={name}
        hideLabel
        allowFree
        placeholder={name}
        value={value}
        options={(values.data?.items ?? []).map((each) => ({ value: each, label: each }))}
        onChange={onChange}
      />
    </div>
  )
}
