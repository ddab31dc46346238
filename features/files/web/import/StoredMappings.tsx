import { useState } from 'react'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Button, errorMessage, IconButton, message, Select, TextField, toastError } from '@headwater/web-kit'
import type { StoredMapping } from '../../contract/index.ts'
import { applyMapping, draftProblem, fitsSample, type ImportDraft } from './import-draft.ts'
import { useMappingChanges } from './mappings-client.ts'
import styles from './ImportForm.module.css'

/** The stored mappings of a group: applies, stores and deletes them. */
export function StoredMappings({
  groupName,
  stored,
  draft,
  onChange,
}: {
  groupName: string
  stored: readonly StoredMapping[]
  draft: ImportDraft
  onChange: (change: (before: ImportDraft) => ImportDraft) => void
}) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const { save, remove } = useMappingChanges(groupName)
  const applied = stored.find((each) => each.name === draft.appliedMapping)
  const store = async () => {
    setError(undefined)
    try {
      const { name: saved } = await save.mutateAsync({
        name,
        mapping: draft.mapping as StoredMapping['mapping'],
      })
      setName('')
      onChange((before) => ({ ...before, appliedMapping: saved }))
      message(`Mapping “${saved}” saved in ${groupName}`, 'success')
    } catch (failure) {
      setError(errorMessage(failure))
    }
  }
  const discard = async () => {
    try {
      await remove.mutateAsync(applied!.name)
      onChange((before) => ({ ...before, appliedMapping: undefined, isChanged: true }))
    } catch (failure) {
      toastError(failure)
    }
  }
  return (
    <details className={styles.stored} open={applied !== undefined || undefined}>
      <summary>
        {applied === undefined
          ? `Mappings of the group (${stored.length})`
          : `The mapping “${applied.name}” of the group is used.`}
      </summary>
      <div className={styles.fields}>
        <Select
          label="Use a mapping"
          value={applied?.name ?? null}
          placeholder={stored.length === 0 ? 'None stored' : 'Choose a mapping'}
          disabled={stored.length === 0}
          options={stored.map((each) => {
            const fits = fitsSample(each.mapping, draft.sample)
            return {
              value: each.name,
              label: fits ? each.name : `${each.name} (different columns)`,
              disabled: !fits,
            }
          })}
          onChange={(chosen) => {
            const mapping = stored.find((each) => each.name === chosen)
            if (mapping !== undefined) onChange((before) => applyMapping(before, mapping))
          }}
        />
        {applied === undefined ? null : (
          <IconButton
            label={`Delete the mapping ${applied.name}`}
            icon={<IconTrash size={16} stroke={1.6} />}
            onClick={() => void discard()}
          />
        )}
        <TextField
          label="Save these settings as"
          placeholder="Name"
          value={name}
          maxLength={100}
          error={error ?? null}
          onChange={setName}
        />
        <Button
          busy={save.isPending}
          disabled={name.trim() === '' || draftProblem(draft) !== undefined}
          onClick={() => void store()}
        >
          Save mapping
        </Button>
      </div>
    </details>
  )
}
