import { useState } from 'react'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  Dialog,
  Form,
  FormActions,
  message,
  MultiSelect,
  SubmitButton,
  TextField,
} from '@headwater/web-kit'
import { usePipelineTags } from '../pipelines-client.ts'
import { saveProblems, type SaveProblems } from './save-problems.ts'

/** Name, group and tags to save a pipeline under. */
export interface PipelineTarget {
  name: string
  groupName: string
  tags: string[]
}

/** Dialog for name, group and tags of a pipeline: for the first save, a copy, a rename or a move. */
export function SavePipelineDialog({
  title,
  submitLabel,
  initial,
  onSave,
  onClose,
}: {
  title: string
  submitLabel: string
  initial: PipelineTarget
  /** Throws errors of the server; problems of fields appear at the fields. */
  onSave: (target: PipelineTarget) => Promise<void>
  onClose: () => void
}) {
  const [target, setTarget] = useState(initial)
  const [fields, setFields] = useState<SaveProblems['fields']>({})
  const [tagText, setTagText] = useState('')
  const tags = usePipelineTags(tagText)

  /** Changes fields and clears their problems. */
  function set(change: Partial<PipelineTarget>) {
    setTarget({ ...target, ...change })
    setFields(Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in change))))
  }
  function takeProblems(error: unknown) {
    if (error === undefined) {
      setFields({})
      return
    }
    const problems = saveProblems(error)
    setFields(problems.fields)
    for (const text of problems.messages) message(text, 'error')
  }
  return (
    <Dialog open onClose={onClose} title={title} width={440}>
      <Form label={title} onSubmit={() => onSave(target)} onError={takeProblems}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={300}
          value={target.name}
          error={fields.name}
          onChange={(name) => set({ name })}
        />
        <GroupPicker
          label="Group"
          required
          value={target.groupName === '' ? null : target.groupName}
          error={fields.groupName}
          onChange={(group) => set({ groupName: group ?? '' })}
        />
        <MultiSelect
          label="Tags"
          allowFree
          value={target.tags}
          error={fields.tags}
          placeholder="Add a tag"
          options={tags.map((tag) => ({ value: tag, label: tag }))}
          onSearch={setTagText}
          onChange={(next) => set({ tags: next })}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{submitLabel}</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
