import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Button,
  ErrorState,
  Form,
  FormActions,
  NumberField,
  Panel,
  Skeleton,
  StorageSize,
  SubmitButton,
  UnsavedGuard,
  call,
  fieldErrors,
  message,
} from '@headwater/web-kit'
import { type StorageLimits, type StorageOverview, updateStorageLimits } from '../../contract/index.ts'
import { storageLimitsQuery } from '../accounts-client.ts'
import styles from './SettingsTab.module.css'

const bytesPerGigabyte = 1_000_000_000

const fields = [
  { name: 'bytesPerUser', label: 'Limit per user (GB)', hint: '0 means no limit.' },
  { name: 'bytesPerCompany', label: 'Limit per company (GB)', hint: '0 means no limit.' },
  { name: 'bytesInAll', label: 'Total limit for all users (GB)', hint: '0 means no limit.' },
  {
    name: 'reservedDiskBytes',
    label: 'Free disk space to keep (GB)',
    hint: 'The server refuses uploads that would leave less free space. 0 lets uploads fill the disk.',
  },
] as const satisfies readonly { name: keyof StorageLimits; label: string; hint: string }[]

/** The typed numbers; undefined for an empty field. */
type Typed = { [Name in keyof StorageLimits]?: number | undefined }

/** The limits of stored files, for administrators. */
export default function StorageTab() {
  const limits = useQuery(storageLimitsQuery)
  if (limits.data === undefined)
    return limits.error ? (
      <ErrorState error={limits.error} onRetry={() => void limits.refetch()} />
    ) : (
      <Skeleton lines={6} />
    )
  return (
    <div className={styles.columns}>
      <Limits present={limits.data} />
      <Panel title="Used">
        <div className={styles.body}>
          <dl className={styles.facts}>
            <dt>Stored files</dt>
            <dd>
              <StorageSize bytes={limits.data.storedBytes} />
            </dd>
            <dt>Free on the disk</dt>
            <dd>
              <StorageSize bytes={limits.data.freeDiskBytes} />
            </dd>
          </dl>
        </div>
      </Panel>
    </div>
  )
}

function Limits({ present }: { present: StorageOverview }) {
  const queries = useQueryClient()
  const [change, setChange] = useState<Typed>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const typed = (name: keyof StorageLimits) => (name in change ? change[name] : present[name])
  const dirty = fields.some(({ name }) => typed(name) !== present[name])
  function reset() {
    setChange({})
    setErrors({})
  }
  async function save() {
    const empty = fields.filter(({ name }) => typed(name) === undefined)
    if (empty.length > 0) {
      setErrors(Object.fromEntries(empty.map(({ name }) => [name, 'Enter a number; 0 means no limit.'])))
      return
    }
    const next = await call(updateStorageLimits, { body: change as Partial<StorageLimits> })
    queries.setQueryData(storageLimitsQuery.queryKey, next)
    reset()
    message('Settings have been saved')
  }
  return (
    <Panel title="Storage limits">
      <UnsavedGuard when={dirty} />
      <div className={styles.body}>
        <Form label="Storage limits" onSubmit={save} onError={(error) => setErrors(fieldErrors(error))}>
          {fields.map(({ name, label, hint }) => (
            <NumberField
              key={name}
              label={label}
              hint={hint}
              min={0}
              step="any"
              value={toGigabytes(typed(name))}
              onChange={(gigabytes) =>
                setChange((before) => ({
                  ...before,
                  [name]: toBytes(gigabytes),
                }))
              }
              error={errors[name]}
            />
          ))}
          <FormActions>
            <Button disabled={!dirty} onClick={reset}>
              Discard
            </Button>
            <SubmitButton disabled={!dirty}>Save</SubmitButton>
          </FormActions>
        </Form>
      </div>
    </Panel>
  )
}

const toGigabytes = (bytes: number | undefined) =>
  bytes === undefined ? undefined : bytes / bytesPerGigabyte
const toBytes = (gigabytes: number | undefined) =>
  gigabytes === undefined ? undefined : Math.round(gigabytes * bytesPerGigabyte)
