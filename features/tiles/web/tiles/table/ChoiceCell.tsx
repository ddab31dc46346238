import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { formatNumber } from '@headwater/contract'
import { listSymbolValues } from '@headwater/symbols/contract'
import { anyValue, type TableColumn } from '@headwater/tile-data/core'
import { useChoosable } from '@headwater/tile-data/web'
import { call } from '@headwater/web-kit'
import styles from './TableTile.module.css'

/** Maximum number of values in the list. The user finds other values by typing. */
const offered = 500

/** A cell whose value users choose from a list or find by typing. */
export function ChoiceCell({
  column,
  label,
  value,
  inData,
  onChoose,
}: {
  column: TableColumn
  /** Accessible name. */
  label: string
  value: string
  /** The values of the column in the data, which are the choices if no group is set. */
  inData: readonly string[]
  onChoose: (value: string) => void
}) {
  const [typed, setTyped] = useState<string>()
  const text = useDeferredValue(typed ?? '')
  const { columnDropdownGroupName: groupName, columnDropdownKey, columnId } = column
  const key = columnDropdownKey || columnId
  const [wanted, setWanted] = useState(false)
  const { data } = useQuery<{ values: string[]; total: number }>({
    queryKey: [listSymbolValues.name, 'cell', groupName, key, text],
    enabled: wanted && groupName !== '',
    placeholderData: (last) => last,
    queryFn: async ({ signal }) => {
      const body = { groupName, key, query: text }
      const page = await call(listSymbolValues, { query: { limit: offered }, body }, { signal })
      return { values: page.items, total: page.totalSize }
    },
  })
  const { values, total } =
    groupName === '' || data === undefined ? { values: groupName === '' ? inData : [], total: 0 } : data
  // Only typing finds the values that a list does not contain.
  const isCut = total > values.length
  const isSearched = column.columnType === 'queryDropdown' || typed !== undefined || isCut
  const listId = useId()
  const isAnyOffered = useChoosable().any({ name: key, kind: 'symbol', initial: value })
  const load = { onFocus: () => setWanted(true), onPointerEnter: () => setWanted(true) }
  if (isSearched)
    return (
      <>
        <input
          {...load}
          className={styles.choice}
          aria-label={label}
          list={listId}
          value={typed ?? labelOf(value)}
          placeholder="Type to search"
          title={
            isCut
              ? `First ${formatNumber(values.length)} of ${formatNumber(total)}. Type to search.`
              : undefined
          }
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => {
            if (typed !== undefined && typed !== labelOf(value)) onChoose(stored(typed))
            setTyped(undefined)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
            if (event.key === 'Escape') setTyped(undefined)
            event.stopPropagation()
          }}
        />
        <datalist id={listId}>
          {isAnyOffered ? <option value={anyValue.label} /> : null}
          {values.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </>
    )
  const options = [
    ...new Set([...(value === '' || value === anyValue.value ? [] : [value]), ...values]),
  ].filter((each) => each !== '')
  return (
    <select
      {...load}
      className={styles.choice}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <option value=""> </option>
      {isAnyOffered ? <option value={anyValue.value}>{anyValue.label}</option> : null}
      {options.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

function labelOf(value: string): string {
  return value === anyValue.value ? anyValue.label : value
}

function stored(text: string): string {
  return text === anyValue.label ? anyValue.value : text
}
