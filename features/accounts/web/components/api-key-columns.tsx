import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type Column, IconButton, Time } from '@headwater/web-kit'
import type { ApiKey } from '../../contract/index.ts'

/**
 * Returns the columns of a list of API keys.
 * @param remove the button at the end of a row; absent if the user cannot delete keys
 */
export function apiKeyColumns(
  remove: { label: (key: ApiKey) => string; onClick: (key: ApiKey) => void } | undefined,
): Column<ApiKey>[] {
  const columns: Column<ApiKey>[] = [
    {
      id: 'label',
      header: 'Label',
      width: 'minmax(160px, 2fr)',
      cell: (key) => key.label,
      text: (key) => key.label,
    },
    {
      id: 'created',
      header: 'Created',
      width: 150,
      quiet: true,
      priority: 1,
      cell: (key) => <Time value={key.createdAt} show="datetime" />,
    },
    { id: 'expires', header: 'Expires', width: 150, quiet: true, cell: (key) => timeOrNever(key.expiresAt) },
    { id: 'used', header: 'Last used', width: 150, quiet: true, cell: (key) => timeOrNever(key.lastUsedAt) },
  ]
  if (remove === undefined) return columns
  return [
    ...columns,
    {
      id: 'delete',
      header: <span className="visually-hidden">Actions</span>,
      width: 32,
      align: 'end',
      cell: (key) => (
        <IconButton
          label={remove.label(key)}
          icon={<IconTrash size={15} stroke={1.6} />}
          onClick={() => remove.onClick(key)}
        />
      ),
    },
  ]
}

function timeOrNever(value: string | undefined) {
  return value === undefined ? 'Never' : <Time value={value} show="datetime" />
}
