import { useQuery } from '@tanstack/react-query'
import { MultiSelect } from '@headwater/web-kit'
import { rolesQuery } from '../accounts-client.ts'

/** Field for the roles of a user. */
export function RolesField({
  value,
  onChange,
  error,
  placeholder = 'Choose roles',
}: {
  /** Ids of the roles. */
  value: readonly number[]
  onChange: (roleIds: number[]) => void
  error?: string | undefined
  placeholder?: string
}) {
  const roles = useQuery(rolesQuery)
  return (
    <MultiSelect
      label="Roles"
      placeholder={placeholder}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      error={error}
      options={(roles.data?.items ?? []).map((role) => ({ value: String(role.id), label: role.name }))}
    />
  )
}
