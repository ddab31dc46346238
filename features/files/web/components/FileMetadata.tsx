import { useRef, useState } from 'react'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { NewerVersion } from '@headwater/accounts/web'
import {
  ApiError,
  Button,
  DetailsSection,
  Fact,
  Facts,
  FieldConflict,
  Form,
  IconButton,
  message,
  TextField,
  toastError,
  useEscape,
} from '@headwater/web-kit'
import type { File } from '../../contract/index.ts'
import { useNewestMetadata, useUpdateFile } from '../files-client.ts'
import { changedFields, type DraftField, draftOf, textOf } from '../metadata-draft.ts'
import styles from './FileMetadata.module.css'

const emptyField: DraftField = { name: '', value: '' }

/** The metadata of a file. Users with write access can edit it. Saving over a newer version needs a confirmation. */
export function FileMetadata({ file, editable }: { file: File; editable: boolean }) {
  const update = useUpdateFile(file.fid)
  const findNewest = useNewestMetadata(file.fid)
  // The version that is edited, because the panel refreshes its file in the meantime.
  const [base, setBase] = useState(file)
  const [newer, setNewer] = useState<File>()
  const [pairs, setPairs] = useState<DraftField[]>()
  // Index of the name that gets the focus when its field appears; undefined before the first edit.
  const [focusedName, setFocusedName] = useState<number>()
  const addButton = useRef<HTMLButtonElement>(null)
  // Esc ends the editing only if nothing would be lost.
  useEscape(pairs !== undefined, () => {
    if (pairs !== undefined && !update.isPending && changedFields(base.fields, pairs).length === 0)
      setPairs(undefined)
  })
  if (pairs === undefined) {
    const entries = Object.entries(file.fields)
    return (
      <DetailsSection
        title={
          <>
            Metadata
            {editable ? (
              <IconButton
                label="Edit metadata"
                icon={<IconEdit size={14} stroke={1.6} />}
                // The button disappears during an edit. After the edit it gets the focus back.
                autoFocus={focusedName !== undefined}
                onClick={() => {
                  setBase(file)
                  setPairs(entries.length === 0 ? [emptyField] : draftOf(file.fields))
                  setFocusedName(0)
                }}
              />
            ) : null}
          </>
        }
      >
        {entries.length === 0 ? <p className={styles.none}>None.</p> : null}
        <Facts>
          {entries.map(([name, value]) => (
            <Fact key={name} name={name}>
              {textOf(value)}
            </Fact>
          ))}
        </Facts>
      </DetailsSection>
    )
  }
  const edits = changedFields(base.fields, pairs)
  const save = async (over: File) => {
    try {
      await update.mutateAsync({ fields: edits, metadataVersion: over.metadataVersion })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'metadataChanged')) throw error
      setNewer(await findNewest())
      return
    }
    message('Your changes have been saved')
    setPairs(undefined)
  }
  return (
    <DetailsSection title="Metadata">
      <Form onSubmit={() => save(base)}>
        {pairs.map((pair, index) => (
          // The index is the only identity of a row.
          <div key={index} className={styles.pair}>
            <TextField
              label={`Name ${index + 1}`}
              hideLabel
              placeholder="Name"
              autoFocus={index === focusedName}
              value={pair.name}
              onChange={(name) => setPairs(pairs.with(index, { ...pair, name }))}
            />
            <TextField
              label={`Value ${index + 1}`}
              hideLabel
              placeholder="Value"
              value={pair.value}
              onChange={(value) => setPairs(pairs.with(index, { ...pair, value }))}
            />
            <IconButton
              label={`Remove metadata ${index + 1}`}
              icon={<IconTrash size={14} stroke={1.6} />}
              onClick={() => {
                // The last button disappears. Otherwise this one belongs to the next pair.
                if (index === pairs.length - 1) addButton.current?.focus()
                setPairs(pairs.filter((_, i) => i !== index))
              }}
            />
          </div>
        ))}
        <div className={styles.actions}>
          <Button
            ref={addButton}
            size="small"
            variant="quiet"
            icon={<IconPlus size={14} stroke={1.6} />}
            onClick={() => {
              setPairs([...pairs, emptyField])
              setFocusedName(pairs.length)
            }}
          >
            Add
          </Button>
          <span className={styles.spring} />
          <Button size="small" onClick={() => setPairs(undefined)}>
            Cancel
          </Button>
          <Button size="small" variant="primary" type="submit" busy={update.isPending}>
            Save
          </Button>
        </div>
      </Form>
      {newer === undefined ? null : (
        <FieldConflict
          text={
            <NewerVersion newer={{ version: newer.metadataVersion, author: null }} of=" of the metadata" />
          }
          version={newer.metadataVersion}
          stored={Object.fromEntries(draftOf(newer.fields).map(({ name, value }) => [name, value]))}
          edited={Object.fromEntries(edits.map(({ name, value }) => [name, value]))}
          onClose={() => setNewer(undefined)}
          onDiscard={() => {
            setNewer(undefined)
            setPairs(undefined)
          }}
          onOverwrite={() => {
            setNewer(undefined)
            void save(newer).catch(toastError)
          }}
        />
      )}
    </DetailsSection>
  )
}
