import { type ReactNode, useState } from 'react'
import { GroupPicker } from '@headwater/groups/web'
import { Button, Dialog, Form, FormActions, message, SubmitButton, TextField } from '@headwater/web-kit'

/** Name and group to save an item under. */
export interface ItemTarget {
  name: string
  /** Name of the group; empty until the user chooses one. */
  groupName: string
}

/** Errors of a failed save. */
export interface SaveErrors<Target> {
  /** The error of each field that has one. */
  fields: Partial<Record<keyof Target, string>>
  /** Errors that belong to no field of the dialog; they are displayed as toasts. */
  messages: readonly string[]
}

/** The form of a {@link SaveItemDialog}, for its additional fields. */
export interface SaveForm<Target> {
  target: Target
  errors: Partial<Record<keyof Target, string>>
  /** Changes fields and clears their errors. */
  set: (change: Partial<Target>) => void
}

/** Dialog for the name and group of an item: for the first save, a copy, a rename or a move. */
export function SaveItemDialog<Target extends ItemTarget>({
  title,
  submitLabel,
  initial,
  groupLabel = 'Group',
  nameLength,
  errorsOf,
  children,
  onSave,
  onClose,
}: {
  title: string
  submitLabel: string
  initial: Target
  /** Label of the group field, default “Group”. */
  groupLabel?: string
  /** Maximum number of characters of a name. */
  nameLength: number
  /** Returns the errors of a failed save. */
  errorsOf: (error: unknown) => SaveErrors<Target>
  /** Draws additional fields. */
  children?: (form: SaveForm<Target>) => ReactNode
  /** Saves the item. Throws server errors; field errors appear at their fields. */
  onSave: (target: Target) => Promise<void>
  onClose: () => void
}) {
  const [target, setTarget] = useState(initial)
  const [errors, setErrors] = useState<SaveErrors<Target>['fields']>({})

  function set(change: Partial<Target>) {
    setTarget({ ...target, ...change })
    const rest = Object.entries(errors).filter(([field]) => !(field in change))
    setErrors(Object.fromEntries(rest) as SaveErrors<Target>['fields'])
  }
  function takeErrors(error: unknown) {
    const { fields, messages }: SaveErrors<Target> =
      error === undefined ? { fields: {}, messages: [] } : errorsOf(error)
    setErrors(fields)
    for (const text of messages) message(text, 'error')
  }
  return (
    <Dialog open onClose={onClose} title={title} width={440}>
      <Form label={title} onSubmit={() => onSave(target)} onError={takeErrors}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={nameLength}
          value={target.name}
          error={errors.name}
          onChange={(name) => set({ name } as Partial<Target>)}
        />
        <GroupPicker
          label={groupLabel}
          required
          value={target.groupName === '' ? null : target.groupName}
          error={errors.groupName}
          onChange={(group) => set({ groupName: group ?? '' } as Partial<Target>)}
        />
        {children?.({ target, errors, set })}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{submitLabel}</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
