import { type ReactNode, useMemo, useState } from 'react'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconReplace from '@tabler/icons-react/dist/esm/icons/IconReplace.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import {
  call,
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  IconButton,
  message,
  Time,
} from '@headwater/web-kit'
import { deleteSecret, type Secret } from '../../contract/index.ts'
import { useRefreshSecrets, useSecrets } from '../secrets-client.ts'
import { SecretDialog } from './SecretDialog.tsx'

/**
 * Secrets of a group or of the user: names, authors and dates, never values. Users with write access can replace and delete
 * them.
 */
export function SecretsTable({
  groupName,
  canWrite,
  create,
}: {
  /** Group that owns the secrets; undefined for the user's personal secrets. */
  groupName: string | undefined
  canWrite: boolean
  /** Button that creates a secret, for the empty list. */
  create: ReactNode
}) {
  const secrets = useSecrets(groupName)
  const refresh = useRefreshSecrets()
  const [replacing, setReplacing] = useState<Secret>()
  const [deleting, setDeleting] = useState<Secret>()
  const columns = useMemo(
    () => columnsOf(canWrite ? { replace: setReplacing, remove: setDeleting } : undefined),
    [canWrite],
  )
  return (
    <>
      <DataTable
        label="Secrets"
        columns={columns}
        rows={secrets.data?.items}
        rowKey={({ name }) => name}
        rowHeight={36}
        error={secrets.data === undefined ? secrets.error : null}
        onRetry={() => void secrets.refetch()}
        empty={
          <EmptyState icon={<IconKey size={20} stroke={1.6} />} title="No secrets yet" action={create}>
            {canWrite
              ? 'A secret is a password, key or token that tasks use and nobody can read.'
              : 'Users with write access to the group can store passwords and keys for its tasks here.'}
          </EmptyState>
        }
      />
      <SecretDialog
        open={replacing !== undefined}
        groupName={groupName}
        secret={replacing}
        onClose={() => setReplacing(undefined)}
      />
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title="Delete secret"
        confirmLabel="Delete"
        danger
        onConfirm={async () => {
          const { name } = deleting!
          await call(deleteSecret, { params: { name }, query: groupName === undefined ? {} : { groupName } })
          message(`Secret ${name} has been deleted.`)
          await refresh()
        }}
      >
        Tasks that use “{deleting?.name}” will fail. The value cannot be restored.
      </ConfirmDialog>
    </>
  )
}

function columnsOf(
  actions: { replace: (secret: Secret) => void; remove: (secret: Secret) => void } | undefined,
): Column<Secret>[] {
  const columns: Column<Secret>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(130px, 2fr)',
      text: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      id: 'owner',
      header: 'Owner',
      width: 'minmax(90px, 1fr)',
      quiet: true,
      priority: 2,
      text: ({ groupName }) => groupName ?? 'You',
      cell: ({ groupName }) => groupName ?? 'You',
    },
    {
      id: 'changed',
      header: 'Changed',
      width: 150,
      quiet: true,
      priority: 1,
      cell: ({ modifyDate }) => <Time value={modifyDate} show="datetime" />,
    },
    {
      id: 'author',
      header: 'Changed by',
      width: 'minmax(110px, 1fr)',
      quiet: true,
      priority: 3,
      text: ({ modifiedBy }) => modifiedBy,
      cell: ({ modifiedBy }) => modifiedBy,
    },
  ]
  if (actions === undefined) return columns
  return [
    ...columns,
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 68,
      align: 'end',
      cell: (secret) => (
        <>
          <IconButton
            label={`Replace the value of ${secret.name}`}
            icon={<IconReplace size={15} stroke={1.6} />}
            onClick={() => actions.replace(secret)}
          />
          <IconButton
            label={`Delete ${secret.name}`}
            icon={<IconTrash size={15} stroke={1.6} />}
            onClick={() => actions.remove(secret)}
          />
        </>
      ),
    },
  ]
}
