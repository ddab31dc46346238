import { useState } from 'react'
import { Combobox } from '@headwater/web-kit'
import { useGroupOptions } from '../groups-client.ts'

/** A field to choose a group by typing a part of its name. */
export function GroupPicker(props: {
  label?: string
  value: string | null
  onChange: (name: string | null) => void
  /** Only groups the user may write to, default true. */
  writeOnly?: boolean
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  clearable?: boolean
}) {
  const { label = 'Group', value, onChange, writeOnly = true, ...rest } = props
  const [text, setText] = useState('')
  // The field begins with the chosen name in it; that is no search.
  const groups = useGroupOptions(text === value ? '' : text, { writeOnly })
  const names = groups.data?.pages.flatMap(({ items }) => items.map((group) => group.name)) ?? []
  // last, so that Enter takes what was found and not what is chosen already
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
