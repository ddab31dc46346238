import { useState } from 'react'
import { Combobox, ConfirmDialog, toastError } from '@headwater/web-kit'
import { useGroupOptions, usePublicGroups } from '../groups-client.ts'

/**
 * Field for selecting a group by a part of its name. With `writeOnly`, selecting a public group requires confirmation,
 * because an object will be saved in it.
 */
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
  const publicGroups = usePublicGroups({ enabled: writeOnly && props.disabled !== true })
  /** The public group to confirm. */
  const [unconfirmed, setUnconfirmed] = useState<string>()
  function decide(name: string, publicNames: ReadonlySet<string>): void {
    if (publicNames.has(name)) setUnconfirmed(name)
    else onChange(name)
  }
  async function decideLater(name: string): Promise<void> {
    try {
      const { data } = await publicGroups.refetch({ throwOnError: true })
      if (data !== undefined) decide(name, data)
    } catch (error) {
      toastError(error)
    }
  }
  function choose(name: string | null): void {
    if (!writeOnly || name === null || name === value) onChange(name)
    else if (publicGroups.data !== undefined) decide(name, publicGroups.data)
    else void decideLater(name)
  }
  // The field initially contains the chosen name, which is not a search text.
  const groups = useGroupOptions(text === value ? '' : text, { writeOnly })
  // No group can be selected until the public groups are known. Otherwise a form that is saved immediately would contain the
  // previous group.
  const isDecidable = !writeOnly || !publicGroups.isLoading
  const matching = groups.data?.pages.flatMap(({ items }) => items.map((group) => group.name)) ?? []
  const names = isDecidable ? matching : []
  // Last, so that Enter selects a match and not the current value.
  const offered = value !== null && value !== '' && !names.includes(value) ? [...names, value] : names
  return (
    <>
      <Combobox
        {...rest}
        label={label}
        value={unconfirmed ?? value}
        onChange={choose}
        options={offered.map((name) => ({ value: name, label: name }))}
        onSearch={setText}
        onEndReached={() => {
          if (groups.hasNextPage && !groups.isFetchingNextPage) void groups.fetchNextPage()
        }}
        loading={groups.isFetching || !isDecidable}
        nothingFound={writeOnly ? 'No group that you can write to' : 'No group found'}
        placeholder="Choose a group"
      />
      <ConfirmDialog
        open={unconfirmed !== undefined}
        title="Use a public group?"
        confirmLabel="Use group"
        onClose={() => setUnconfirmed(undefined)}
        onConfirm={() => onChange(unconfirmed!)}
      >
        {`${unconfirmed} is public: public insights show its data to people without an account, which can include the object that you save.`}
      </ConfirmDialog>
    </>
  )
}
