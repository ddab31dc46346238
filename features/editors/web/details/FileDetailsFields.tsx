import { useLayoutEffect, useRef, useState } from 'react'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconEditOff from '@tabler/icons-react/dist/esm/icons/IconEditOff.mjs'
import { useCan } from '@headwater/accounts/web'
import { administratorFileTypes, fileTypes } from '@headwater/files/contract'
import { GroupPicker } from '@headwater/groups/web'
import { IconButton, Select, TextField } from '@headwater/web-kit'
import { withExtension, withoutExtension } from './file-extension.ts'
import styles from './FileDetailsFields.module.css'
import { canBecome, type DetailsState } from './use-file-details.ts'

/** Name, group and type above the content of a file. For a stored file, a button makes them editable. */
export function FileDetailsFields({
  state,
  extension,
  isNew,
}: {
  state: DetailsState
  /** Extension of the file without its dot; empty if it has none. */
  extension: string
  /** Whether the file does not exist yet. */
  isNew: boolean
}) {
  const { details, suggestedName, errors, isEditable, set } = state
  const can = useCan()
  // While the name field has the focus, the name is displayed without its extension.
  const [typed, setTyped] = useState<string>()
  const nameField = useRef<HTMLInputElement>(null)
  const isSuggested = isNew && details.fileName === suggestedName
  const isTyping = typed !== undefined
  useLayoutEffect(() => {
    if (isTyping && isSuggested) nameField.current?.select()
  }, [isTyping, isSuggested])
  const known = [...fileTypes, ...(can('Administrator') ? administratorFileTypes : [])]
  const types = [...new Set([...known.filter((type) => canBecome(type, extension)), details.fileType])]
  const disabled = !isEditable
  return (
    <fieldset className={styles.fields}>
      <legend className="visually-hidden">File details</legend>
      <div
        className={styles.name}
        onFocus={() => isEditable && setTyped(withoutExtension(details.fileName, extension))}
        // A click sets the cursor after the field gets the focus.
        onMouseUp={() => isSuggested && nameField.current?.select()}
      >
        <TextField
          label="Name"
          required
          disabled={disabled}
          maxLength={255}
          inputRef={nameField}
          value={typed ?? details.fileName}
          error={errors.fileName ?? null}
          onChange={(name) => {
            setTyped(name)
            set('fileName', withExtension(name, extension))
          }}
          onBlur={() => setTyped(undefined)}
        />
      </div>
      <GroupPicker
        required
        clearable
        disabled={disabled}
        value={details.groupName === '' ? null : details.groupName}
        error={errors.groupName}
        onChange={(name) => set('groupName', name ?? '')}
      />
      <Select
        label="Type"
        required
        disabled={disabled}
        clearable
        value={details.fileType === '' ? null : details.fileType}
        error={errors.fileType ?? null}
        options={types.filter((type) => type !== '').map((type) => ({ value: type, label: type }))}
        onChange={(type) => set('fileType', type ?? '')}
      />
      {isNew ? null : (
        <IconButton
          label={isEditable ? 'Keep the stored details' : 'Edit details'}
          icon={isEditable ? <IconEditOff size={16} stroke={1.6} /> : <IconEdit size={16} stroke={1.6} />}
          onClick={() => state.setEditable(!isEditable)}
        />
      )}
    </fieldset>
  )
}
