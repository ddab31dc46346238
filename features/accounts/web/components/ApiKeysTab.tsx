import { useMemo, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import {
  Button,
  call,
  ConfirmDialog,
  CopyButton,
  DataTable,
  DateField,
  Dialog,
  EmptyState,
  fieldErrors,
  Form,
  FormActions,
  message,
  PageHeader,
  SubmitButton,
  TextField,
} from '@headwater/web-kit'
import { type ApiKey, createApiKey, deleteApiKey } from '../../contract/index.ts'
import { apiKeysQuery } from '../accounts-client.ts'
import { apiKeyColumns } from './api-key-columns.tsx'
import styles from './ApiKeysTab.module.css'

/** The user's own API keys: list, create (the secret is shown once), delete. */
export default function ApiKeysTab() {
  const keys = useQuery(apiKeysQuery)
  const queries = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState<ApiKey>()
  const columns = useMemo(
    () => apiKeyColumns({ label: (key) => `Delete the key ${key.label}`, onClick: setDeleting }),
    [],
  )
  const create = (
    <Button variant="primary" icon={<IconPlus size={16} stroke={1.6} />} onClick={() => setCreating(true)}>
      New API key
    </Button>
  )
  const reload = () => queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
  return (
    <>
      <PageHeader actions={create} />
      <DataTable
        label="API keys"
        columns={columns}
        rows={keys.data}
        rowKey={(key) => String(key.id)}
        rowHeight={36}
        error={keys.data === undefined ? keys.error : null}
        onRetry={() => void keys.refetch()}
        empty={
          <EmptyState icon={<IconKey size={20} stroke={1.6} />} title="No API keys yet" action={create}>
            With a key, a program such as the Python SDK can act on your behalf.
          </EmptyState>
        }
      />
      <CreateKeyDialog open={creating} onClose={() => setCreating(false)} onCreated={() => void reload()} />
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title="Delete API key"
        confirmLabel="Delete"
        danger
        onConfirm={async () => {
          await call(deleteApiKey, { params: { id: deleting!.id } })
          message('Your changes have been saved')
          await reload()
        }}
      >
        Programs that use “{deleting?.label}” stop working at once.
      </ConfirmDialog>
    </>
  )
}

function CreateKeyDialog({
  open,
  onClose,
  onCreated,
}: {
  open: boolean
  onClose: () => void
  onCreated: () => void
}) {
  const [label, setLabel] = useState('')
  const [expiresAt, setExpiresAt] = useState('')
  const [secret, setSecret] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  function close() {
    setLabel('')
    setExpiresAt('')
    setSecret(undefined)
    setErrors({})
    onClose()
  }
  async function create() {
    const created = await call(createApiKey, { body: { label, ...(expiresAt === '' ? {} : { expiresAt }) } })
    setSecret(created.key)
    onCreated()
  }
  if (secret !== undefined) {
    return (
      <Dialog
        open={open}
        onClose={close}
        title="Your new API key"
        actions={
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        }
      >
        <p>Copy the key now. You cannot see it again.</p>
        <div className={styles.secret}>
          <code>{secret}</code>
          <CopyButton value={secret} label="API key" />
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog open={open} onClose={close} title="New API key">
      <Form label="New API key" onSubmit={create} onError={(error) => setErrors(fieldErrors(error))}>
        <TextField
          label="Label"
          hint="What the key is for, for example “nightly upload”."
          autoFocus
          required
          maxLength={100}
          value={label}
          onChange={setLabel}
          error={errors.label}
        />
        <DateField
          label="Expires on"
          hint="The key works until the end of this day in UTC. Without a date it never expires."
          value={expiresAt}
          onChange={setExpiresAt}
          error={errors.expiresAt ?? null}
        />
        <FormActions>
          <Button onClick={close}>Cancel</Button>
          <SubmitButton disabled={label.trim() === ''}>Create</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
