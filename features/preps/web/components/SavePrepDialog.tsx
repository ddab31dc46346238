import { useState } from 'react'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  Dialog,
  fieldErrors,
  Form,
  FormActions,
  message,
  SubmitButton,
  TextField,
} from '@headwater/web-kit'

/** What a data prep is saved under. */
export interface PrepTarget {
  name: string
  outputGroup: string
}

/** Name and group of a data prep: before it is first saved, for a copy, or to rename or move it. */
export function SavePrepDialog({
  title,
  submitLabel,
  initial,
  onSave,
  onClose,
}: {
  title: string
  submitLabel: string
  initial: PrepTarget
  /** Throws what the server refuses; errors of fields are shown at them. */
  onSave: (target: PrepTarget) => Promise<void>
  onClose: () => void
}) {
  const [target, setTarget] = useState(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})

  /** A change of a field takes its error away. */
  function set(change: Partial<PrepTarget>) {
    setTarget({ ...target, ...change })
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !(field in change))))
  }
  function takeErrors(error: unknown) {
    const found = fieldErrors(error)
    setErrors(found)
    for (const [field, text] of Object.entries(found)) if (!(field in target)) message(text, 'error')
  }
  return (
    <Dialog open onClose={onClose} title={title} width={440}>
      <Form label={title} onSubmit={() => onSave(target)} onError={takeErrors}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={200}
          value={target.name}
          error={errors.name}
          onChange={(name) => set({ name })}
        />
        <GroupPicker
          label="Output group"
          required
          value={target.outputGroup === '' ? null : target.outputGroup}
          error={errors.outputGroup}
          onChange={(group) => set({ outputGroup: group ?? '' })}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{submitLabel}</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
