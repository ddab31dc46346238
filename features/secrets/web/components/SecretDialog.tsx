import { useState } from 'react'
import {
  Button,
  InputDialog,
  fieldErrors,
  Form,
  formatNumber,
  message,
  Select,
  TextField,
} from '@headwater/web-kit'
import { maxSecretLength, minSecretLength, type Secret } from '../../contract/index.ts'
import { storeSecret, useRefreshSecrets } from '../secrets-client.ts'

const formId = 'secret-form'
const ownLabel = 'You: only your runs can use it'

/** Properties of {@link SecretDialog}. */
export interface SecretDialogProps {
  /** Whether the dialog is open. */
  open: boolean
  /** Group that can own the secret; undefined for personal secrets only. */
  groupName: string | undefined
  /** Whether users can choose between the group and themselves as the owner. Default false. */
  choosesOwner?: boolean
  /** Existing secret to replace; undefined for a new one. */
  secret?: Secret | undefined
  /** Called when the dialog closes. */
  onClose: () => void
  /** Called with the stored secret, before the dialog closes. */
  onSaved?: (secret: Secret) => void
}

/** Dialog that stores a new secret or replaces the value of an existing one. It never shows a stored value. */
export function SecretDialog(props: SecretDialogProps) {
  return props.open ? <OpenSecretDialog {...props} /> : null
}

function OpenSecretDialog({ groupName, choosesOwner = false, secret, onClose, onSaved }: SecretDialogProps) {
  const [name, setName] = useState(secret?.name ?? '')
  const [value, setValue] = useState('')
  const [isOwn, setOwn] = useState(groupName === undefined)
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const refresh = useRefreshSecrets()
  const errors = fieldErrors(problem)
  async function save() {
    setSaving(true)
    try {
      const saved = await storeSecret(
        { name: name.trim(), value: withoutLineEnd(value), groupName: isOwn ? undefined : groupName },
        secret === undefined,
      )
      await refresh()
      message(secret === undefined ? `Secret ${saved.name} has been stored.` : 'Your changes have been saved')
      onSaved?.(saved)
      onClose()
    } finally {
      setSaving(false)
    }
  }
  return (
    <InputDialog
      open
      onClose={onClose}
      busy={isSaving}
      unsaved={value !== '' || name !== (secret?.name ?? '')}
      title={secret === undefined ? 'New secret' : `Replace the value of ${secret.name}`}
      width={480}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={isSaving}>
            {secret === undefined ? 'Store' : 'Replace'}
          </Button>
        </>
      }
    >
      <Form id={formId} label="Secret" onSubmit={save} onError={setProblem}>
        {secret === undefined ? (
          <TextField
            label="Name"
            required
            autoFocus
            mono
            maxLength={100}
            autoComplete="off"
            hint="Tasks refer to the secret by this name, for example “prices-api-key”."
            value={name}
            onChange={setName}
            error={errors.name ?? null}
          />
        ) : null}
        {choosesOwner && groupName !== undefined ? (
          <Select
            label="Owner"
            value={isOwn ? 'own' : 'group'}
            options={[
              { value: 'group', label: `Group ${groupName}` },
              { value: 'own', label: ownLabel },
            ]}
            onChange={(owner) => setOwn(owner === 'own')}
          />
        ) : null}
        <TextField
          label="Value"
          required
          masked
          mono
          rows={3}
          autoFocus={secret !== undefined}
          autoComplete="off"
          maxLength={maxSecretLength}
          hint={`A password, key or token with ${minSecretLength} to ${formatNumber(maxSecretLength)} characters. Nobody can read it after it is stored.`}
          value={value}
          onChange={setValue}
          error={errors.value ?? null}
        />
      </Form>
    </InputDialog>
  )
}

/** Removes the line break that copying a single line often adds. Keys with several lines keep their line breaks. */
function withoutLineEnd(value: string): string {
  return value.replace(/^([^\r\n]*)\r?\n$/, '$1')
}
