import { useState } from 'react'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  Dialog,
  fieldErrors,
  Form,
  FormActions,
  message,
  MultiSelect,
  SubmitButton,
  TextField,
} from '@headwater/web-kit'
import { type InsightForm, useInsightTags } from '../insights-client.ts'

/** Names, group, description and tags of an insight: before it is first saved, for a copy, or to change them. */
export function SaveDialog({
  title,
  submitLabel,
  initial,
  onSave,
  onClose,
}: {
  title: string
  submitLabel: string
  initial: InsightForm
  /** Throws what the server refuses; field errors are shown at their field. */
  onSave: (form: InsightForm) => Promise<void>
  onClose: () => void
}) {
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [tagText, setTagText] = useState('')
  const tags = useInsightTags(tagText)

  /** A change of a field takes its error away. */
  function set(change: Partial<InsightForm>, ...fields: string[]) {
    setForm({ ...form, ...change })
    setErrors(
      Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.some((own) => isOf(field, own)))),
    )
  }
  function takeErrors(error: unknown) {
    const found = fieldErrors(error)
    setErrors(found)
    for (const [field, text] of Object.entries(found))
      if (!shownFields.some((own) => isOf(field, own))) message(text, 'error')
  }
  const errorOf = (...fields: string[]) =>
    Object.entries(errors).find(([field]) => fields.some((own) => isOf(field, own)))?.[1]

  return (
    <Dialog open onClose={onClose} title={title} width={460}>
      <Form label={title} onSubmit={() => onSave(form)} onError={takeErrors}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={200}
          value={form.insightName}
          error={errorOf(...nameFields)}
          onChange={(insightName) => set({ insightName }, ...nameFields)}
        />
        <GroupPicker
          required
          value={form.groupName === '' ? null : form.groupName}
          error={errorOf(...groupFields)}
          onChange={(groupName) => set({ groupName: groupName ?? '' }, ...groupFields)}
        />
        <TextField
          label="Description"
          rows={3}
          maxLength={4000}
          value={form.description}
          error={errorOf(...descriptionFields)}
          onChange={(description) => set({ description }, ...descriptionFields)}
        />
        <MultiSelect
          label="Tags"
          allowFree
          placeholder="Words to find it by"
          value={form.tags}
          error={errorOf('tags')}
          options={(tags.data?.items ?? []).map((tag) => ({ value: tag, label: tag }))}
          onSearch={setTagText}
          onChange={(next) => set({ tags: next }, 'tags')}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{submitLabel}</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}

const nameFields = ['name', 'insightName', 'newInsightName']
const groupFields = ['groupName', 'newGroupName']
const descriptionFields = ['description', 'fields']
const shownFields = [...nameFields, ...groupFields, ...descriptionFields, 'tags']

/** Whether the path of an error belongs to a field: `tags[3]` belongs to `tags`. */
function isOf(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`)
}
