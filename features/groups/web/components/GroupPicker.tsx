import { useState } from 'react'
import { Combobox } from '@headwater/web-kit'
import { useGroupOptions } from '../groups-client.ts'

/** Field for choosing a group by a part of its name. */
export function GroupPicker(props: {
  label?: string
  value: string | null
  onChange: (name: string | null) => void
  /** Whether to offer only groups that the user can write to; default true. */
  writeOnly?: boolean
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  clearable?: boolean
}) {
  const { label = 'Group', value, onChange, writeOnly = true, ...rest } = props
  const [text, setText] = useState('')
  // The field initially contains the chosen name, which is not a search.
  const groups = useGroupOptions(text === value ? '' : text, { writeOnly })
  const names = groups.data?.pages.flatMap(({ items }) => items.map((group) => group.name)) ?? []
  // last, so that Enter chooses a match and not the current value
  const offered = value !== null && value !== '' && !names.includes(value) ? [...names, value] : names
  return (
    <Combobox
      {...rest}
      label={label}
      value={value}
      onChange={onChange}
      options={offered.map((name) => ({ value: name, label: name }))}
      onSearch={setText}
      onEndReached={() => {
        if (groups.hasNextPage && !groups.isFetchingNextPage) void groups.fetchNextPage()
      }}
      loading={groups.isFetching}
      nothingFound={writeOnly ? 'No group that you can write to' : 'No group found'}
      placeholder="Choose a group"
    />
  )
}
