import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { listUsers } from '@headwater/accounts/contract'
import { useCan } from '@headwater/accounts/web'
import { call, firstChoiceUnless, MultiSelect, routeKey } from '@headwater/web-kit'
import { listOf } from '../../core/index.ts'
import type { ParamControlProps } from './value-controls.tsx'

/** Maximum number of suggested users. */
const maxSuggestions = 20

/** Field for e-mail addresses, with suggestions if the user can list users. The value is a list separated by commas. */
export function AddressesControl({
  groupName: _group,
  value,
  placeholder,
  clearable: _clearable,
  onChange,
  ...field
}: ParamControlProps) {
  const [typed, setTyped] = useState('')
  const canList = useCan()('Companies', 'R', 'MyAccount')
  const query = { query: typed.trim(), size: maxSuggestions }
  const users = useQuery({
    queryKey: routeKey(listUsers, { query }),
    enabled: canList,
    queryFn: ({ signal }) => call(listUsers, { query }, { signal }),
    placeholderData: (previous) => previous,
  })
  const addresses = users.data?.items.map(({ userName }) => userName) ?? []
  return (
    <MultiSelect
      {...field}
      error={field.error ?? null}
      allowFree
      enterRule={enterRule}
      separators={addressSeparators}
      placeholder={placeholder || 'name@example.com'}
      value={listOf(value)}
      options={addresses.map((address) => ({ value: address, label: address }))}
      onSearch={setTyped}
      total={canList ? users.data?.totalSize : undefined}
      onChange={(items) => onChange(items.join(', '))}
    />
  )
}

const enterRule = firstChoiceUnless((text) => text.includes('@'))

/** Characters that end an address, including in pasted text. */
const addressSeparators = [',', ';', ' ', '\n', '\t']
