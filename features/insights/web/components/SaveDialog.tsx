import { useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  Checkbox,
  Dialog,
  fieldErrors,
  Form,
  FormActions,
  MultiSelect,
  SubmitButton,
  TextField,
} from '@headwater/web-kit'
import { type InsightForm, type InsightName, useInsightTags } from '../insights-client.ts'
import { errorOfFields, isPathOf, reportOtherErrors } from '@headwater/tiles/web'
import { LogoField } from './LogoField.tsx'

/** Dialog for the name, group, description and tags of an insight: for the first save, a copy, or a change. */
export function SaveDialog({
  title,
  submitLabel,
  initial,
  logo,
  isNew,
  onSave,
  onClose,
}: {
  title: string
  submitLabel: string
  initial: InsightForm
  /** The current logo; undefined for an insight that has not been saved yet. */
  logo: { name: InsightName; id: string | undefined } | undefined
  /** Whether a new insight is created, so its group can be created as well. */
  isNew: boolean
  /** Saves the form. Throws server errors; field errors appear at their field. */
  onSave: (form: InsightForm) => Promise<void>
  onClose: () => void
}) {
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [tagText, setTagText] = useState('')
  const tags = useInsightTags(tagText)
  const canCreateGroups = useCan()('Groups', 'RW', 'Lake')

  /** A change of a field removes its error. */
  function set(change: Partial<InsightForm>, ...fields: string[]) {
    setForm({ ...form, ...change })
    setErrors(
      Object.fromEntries(
        Object.entries(errors).filter(([path]) => !fields.some((own) => isPathOf(path, own))),
      ),
    )
  }
  function takeErrors(error: unknown) {
    const problems = fieldErrors(error)
    setErrors(problems)
    reportOtherErrors(problems, formFields)
  }
  const errorOf = (...fields: string[]) => errorOfFields(errors, fields)

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
        {form.shouldCreateGroup ? (
          <TextField
            label="Group"
            required
            maxLength={200}
            value={form.groupName}
            error={errorOf(...groupFields)}
            onChange={(groupName) => set({ groupName }, ...groupFields)}
          />
        ) : (
          <GroupPicker
            required
            value={form.groupName === '' ? null : form.groupName}
            error={errorOf(...groupFields)}
            onChange={(groupName) => set({ groupName: groupName ?? '' }, ...groupFields)}
          />
        )}
        {isNew && canCreateGroups ? (
          <Checkbox
            label="Create a new group"
            checked={form.shouldCreateGroup === true}
            onChange={(shouldCreateGroup) =>
              set(
                { shouldCreateGroup, groupName: shouldCreateGroup ? '' : initial.groupName },
                ...groupFields,
              )
            }
          />
        ) : null}
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
          placeholder="Add tags"
          value={form.tags}
          error={errorOf('tags')}
          options={(tags.data?.items ?? []).map((tag) => ({ value: tag, label: tag }))}
          onSearch={setTagText}
          total={tags.data?.totalSize}
          onChange={(next) => set({ tags: next }, 'tags')}
        />
        <LogoField
          present={logo}
          chosen={form.logo}
          error={errorOf('image')}
          onChange={(next) => set({ logo: next }, 'image')}
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
const formFields = [...nameFields, ...groupFields, ...descriptionFields, 'tags', 'image']
