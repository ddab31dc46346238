import { useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import {
  ApiError,
  Button,
  InputDialog,
  Form,
  IconButton,
  message,
  MultiSelect,
  Select,
  TextField,
  fieldErrors,
} from '@headwater/web-kit'
import { fieldTypes, type Group, type GroupField } from '../../contract/index.ts'
import { type GroupDraft, useGroupTags, useNewestGroup, useSaveGroup } from '../groups-client.ts'
import { draftOf } from '../group-draft.ts'
import { GroupConflict } from './GroupConflict.tsx'
import styles from './GroupDialog.module.css'

const formId = 'group-form'

/** Dialog that creates a group or changes the given one. */
export function GroupDialog(props: {
  open: boolean
  onClose: () => void
  group?: Group | undefined
  onSaved?: (group: Group) => void
}) {
  const { open, onClose, group } = props
  return open ? <OpenGroupDialog {...props} key={group?.name ?? ''} onClose={onClose} /> : null
}

function OpenGroupDialog({
  onClose,
  group,
  onSaved,
}: {
  onClose: () => void
  group?: Group | undefined
  onSaved?: (group: Group) => void
}) {
  const save = useSaveGroup()
  const findNewest = useNewestGroup()
  // The edited version, because the page refreshes `group` in the meantime.
  const [base, setBase] = useState(group)
  const [newer, setNewer] = useState<Group>()
  const [draft, setDraft] = useState<GroupDraft>(() => draftOf(group))
  const [problem, setProblem] = useState<unknown>()
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const errors = Object.fromEntries(
    Object.entries(fieldErrors(problem)).filter(([field]) => !changed.has(field.split(/[.[]/)[0]!)),
  )
  const change = (part: Partial<GroupDraft>) => {
    setDraft({ ...draft, ...part })
    setChanged(new Set([...changed, ...Object.keys(part)]))
  }
  const submit = async (over = base) => {
    setChanged(new Set())
    const saved = await saveOver(over)
    if (saved === undefined) return
    message(group === undefined ? `Group ${saved.name} has been created.` : 'Your changes have been saved')
    onSaved?.(saved)
    onClose()
  }
  /** Returns the saved group; undefined if a newer version exists. The dialog then compares it with the edits. */
  async function saveOver(over: Group | undefined): Promise<Group | undefined> {
    try {
      return await save.mutateAsync({ draft, base: over })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'groupChanged') || over === undefined) throw error
      setNewer(await findNewest(over.name))
      return undefined
    }
  }
  if (newer !== undefined)
    return (
      <GroupConflict
        newer={newer}
        draft={draft}
        onClose={() => setNewer(undefined)}
        onDiscard={onClose}
        onOverwrite={() => {
          setNewer(undefined)
          setBase(newer)
          void submit(newer).catch(setProblem)
        }}
      />
    )
  return (
    <InputDialog
      open
      onClose={onClose}
      busy={save.isPending}
      unsaved={JSON.stringify(draft) !== JSON.stringify(draftOf(base))}
      title={group === undefined ? 'New group' : 'Edit group'}
      width={520}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={save.isPending}>
            {group === undefined ? 'Create' : 'Save'}
          </Button>
        </>
      }
    >
      <Form id={formId} onSubmit={() => submit()} onError={setProblem}>
        <TextField
          label="Name"
          required
          autoFocus={group === undefined}
          maxLength={200}
          value={draft.name}
          disabled={group !== undefined}
          onChange={(name) => change({ name })}
          error={errors.name}
          hint={
            group === undefined
              ? "The name can't be changed later because links and programs use it."
              : undefined
          }
        />
        <TextField
          label="Description"
          rows={3}
          maxLength={4000}
          value={draft.description}
          onChange={(description) => change({ description })}
          error={errors.description}
        />
        <TagsField
          value={draft.groupTags}
          onChange={(groupTags) => change({ groupTags })}
          error={errors.groupTags}
        />
        <FieldsEditor
          fields={draft.fields}
          onChange={(fields) => change({ fields })}
          error={errors.fields ?? Object.entries(errors).find(([field]) => field.startsWith('fields['))?.[1]}
        />
      </Form>
    </InputDialog>
  )
}

function TagsField(props: {
  value: string[]
  onChange: (tags: string[]) => void
  error?: string | undefined
}) {
  const [text, setText] = useState('')
  const tags = useGroupTags(text)
  const names = new Set([...props.value, ...(tags.data?.items.map((tag) => tag.tagName) ?? [])])
  return (
    <MultiSelect
      {...props}
      label="Tags"
      allowFree
      placeholder="Type a tag"
      options={[...names].map((name) => ({ value: name, label: name }))}
      onSearch={setText}
      total={tags.data?.totalSize}
    />
  )
}

function FieldsEditor({
  fields,
  onChange,
  error,
}: {
  fields: GroupField[]
  onChange: (fields: GroupField[]) => void
  error?: string | undefined
}) {
  const change = (index: number, part: Partial<GroupField>) =>
    onChange(fields.map((field, i) => (i === index ? { ...field, ...part } : field)))
  return (
    <fieldset className={styles.fields}>
      <legend>File metadata</legend>
      {fields.map((field, index) => (
        // The index is the only identity of a row.
        <div className={styles.field} key={index}>
          <TextField label="Field" value={field.name} onChange={(name) => change(index, { name })} />
          <Select
            label="Type"
            value={field.type}
            onChange={(type) => change(index, { type: (type ?? 'string') as GroupField['type'] })}
            options={fieldTypes.map((type) => ({ value: type, label: type }))}
          />
          <TextField
            label="Default"
            value={field.defaultValue ?? ''}
            onChange={(text) => change(index, { defaultValue: text === '' ? undefined : text })}
          />
          <IconButton
            label={`Remove field ${field.name}`}
            icon={<IconTrash size={16} stroke={1.6} />}
            onClick={() => onChange(fields.filter((_, i) => i !== index))}
          />
        </div>
      ))}
      {error === undefined ? null : (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <Button
        size="small"
        variant="quiet"
        icon={<IconPlus size={14} stroke={1.6} />}
        onClick={() => onChange([...fields, { name: '', type: 'string' }])}
      >
        Add field
      </Button>
    </fieldset>
  )
}
