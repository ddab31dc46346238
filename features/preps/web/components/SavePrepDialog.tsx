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

/** Name and group to save a data prep under. */
export interface PrepTarget {
  /** Name of the data prep. */
  name: string
  /** Name of its group. */
  outputGroup: string
}

/** Dialog for the name and group of a data prep: for the first save, a copy, a rename or a move. */
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
  /** Throws errors of the server; field errors appear at the fields. */
  onSave: (target: PrepTarget) => Promise<void>
  onClose: () => void
}) {
  const [target, setTarget] = useState(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})

  /** Changes fields and clears their errors. */
  function set(change: Partial<PrepTarget>) {
    setTarget({ ...target, ...change })
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !(field in change))))
  }
  function takeErrors(error: unknown) {
    const refusals = fieldErrors(error)
    setErrors(refusals)
    for (const [field, text] of Object.entries(refusals)) if (!(field in target)) message(text, 'error')
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
