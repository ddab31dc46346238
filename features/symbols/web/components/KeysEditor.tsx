import { useEffect, useRef, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button, Combobox, IconButton, TextField } from '@headwater/web-kit'
import { maxSymbolKeys } from '../../contract/index.ts'
import { keyFaults, type KeyDraft } from '../symbol-keys.ts'
import { useSymbolKeys } from '../symbols-client.ts'
import styles from './NewSymbol.module.css'

/** Editor of the keys and values of a new symbol. It suggests the keys of the group. */
export function KeysEditor(props: {
  groupName: string | null
  keys: readonly KeyDraft[]
  onChange: (keys: KeyDraft[]) => void
  /** Whether errors are visible, because the form was submitted. */
  showFaults: boolean
  error?: string | undefined
}) {
  const { groupName, keys, onChange, showFaults, error } = props
  const known = useSymbolKeys(groupName ?? undefined)
  const names = (known.data?.items ?? []).filter(({ kind }) => kind === 'symbol').map(({ name }) => name)
  const faults = showFaults ? keyFaults(keys) : new Map<number, { key?: string; value?: string }>()
  const change = (id: number, part: Partial<KeyDraft>) =>
    onChange(keys.map((row) => (row.id === id ? { ...row, ...part } : row)))
  const rows = useRef<HTMLFieldSetElement>(null)
  const [added, setAdded] = useState<number>()
  useEffect(() => {
    if (added !== undefined)
      rows.current?.querySelector<HTMLElement>(`[data-key-row="${added}"] input`)?.focus()
  }, [added])
  return (
    <fieldset ref={rows} className={styles.part}>
      <legend className={styles.legend}>Keys</legend>
      {keys.map((row, index) => (
        <div key={row.id} className={styles.keyRow} data-key-row={row.id}>
          <Combobox
            label={`Key ${index + 1}`}
            hideLabel
            allowFree
            placeholder="for example Code"
            value={row.key === '' ? null : row.key}
            onChange={(key) => change(row.id, { key: key ?? '' })}
            options={names.map((name) => ({ value: name, label: name }))}
            error={faults.get(row.id)?.key ?? null}
          />
          <TextField
            label={`Value ${index + 1}`}
            hideLabel
            placeholder="for example BRENT"
            maxLength={1000}
            value={row.value}
            onChange={(value) => change(row.id, { value })}
            error={faults.get(row.id)?.value ?? null}
          />
          <IconButton
            label={`Remove key ${index + 1}`}
            icon={<IconX size={16} stroke={1.6} />}
            disabled={keys.length === 1}
            onClick={() => onChange(keys.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      {error === undefined ? null : (
        <p className={styles.fault} role="alert">
          {error}
        </p>
      )}
      <div>
        <Button
          size="small"
          icon={<IconPlus size={14} stroke={1.6} />}
          disabled={keys.length >= maxSymbolKeys}
          onClick={() => {
            const id = Math.max(0, ...keys.map((row) => row.id)) + 1
            onChange([...keys, { id, key: '', value: '' }])
            setAdded(id)
          }}
        >
          Add key
        </Button>
      </div>
    </fieldset>
  )
}
