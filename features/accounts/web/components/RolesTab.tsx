import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable, EmptyState } from '@headwater/web-kit'
import type { Role } from '../../contract/index.ts'
import { rolesQuery } from '../accounts-client.ts'

const columns: Column<Role>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(160px, 1fr)',
    cell: (role) => role.name,
    text: (role) => role.name,
  },
  {
    id: 'description',
    header: 'Description',
    width: 'minmax(200px, 3fr)',
    cell: (role) => role.description,
    text: (role) => role.description,
    quiet: true,
  },
]

/** The roles users can hold, by name. */
export default function RolesTab() {
  const roles = useQuery(rolesQuery)
  return (
    <DataTable
      label="Roles"
      columns={columns}
      rows={roles.data?.items}
      rowKey={(role) => String(role.id)}
      rowHeight={36}
      error={roles.data === undefined ? roles.error : null}
      onRetry={() => void roles.refetch()}
      empty={<EmptyState title="No roles yet" />}
    />
  )
}
