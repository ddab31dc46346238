import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { listSymbolValues, type SymbolMap } from '@headwater/symbols/contract'
import { call, Combobox, countOf, routeKey } from '@headwater/web-kit'
import { useKeyNames } from './use-key-names.ts'
import styles from './SymbolsTab.module.css'

/** Maximum number of keys with their own field. Users choose more keys in a menu. */
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
  const [added, setAdded] = useState<readonly string[]>([])
  const all = [...new Set([...Object.keys(filters), ...(keys.data ?? [])])]
  const names = all.filter((name, index) => index < maxKeyFields || added.includes(name))
  const others = all.filter((name) => !names.includes(name))
  return (
    <>
      {names.map((name) => (
        <KeyFilter
          key={name}
          groupName={groupName}
          name={name}
          value={filters[name] ?? null}
          onChange={(value) => {
            const { [name]: _former, ...rest } = filters
            onChange(value === null ? rest : { ...rest, [name]: value })
          }}
        />
      ))}
      {others.length === 0 ? null : (
        <div className={styles.key}>
          <Combobox
            label="Another key"
            hideLabel
            placeholder={countOf(others.length, 'other key')}
            value={null}
            options={others.map((name) => ({ value: name, label: name }))}
            onChange={(name) => setAdded([...added, ...(name === null ? [] : [name])])}
          />
        </div>
      )}
    </>
  )
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
  const [text, setText] = useState('')
  const input = { query: { limit: valuesSize }, body: { groupName, key: name, query: text } }
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
        onSearch={setText}
        total={values.data?.totalSize}
        loading={values.isFetching}
        onChange={onChange}
      />
    </div>
  )
}
