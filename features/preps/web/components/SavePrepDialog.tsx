import { type ItemTarget, type SaveErrors, SaveItemDialog } from '@headwater/items/web'
import { fieldErrors } from '@headwater/web-kit'

/** Dialog for the name and output group of a data prep: for the first save, a copy, a rename or a move. */
export function SavePrepDialog(dialog: {
  title: string
  submitLabel: string
  initial: ItemTarget
  /** Throws errors of the server; those of fields appear at the fields. */
  onSave: (target: ItemTarget) => Promise<void>
  onClose: () => void
}) {
  return <SaveItemDialog {...dialog} groupLabel="Output group" nameLength={200} errorsOf={errorsOf} />
}

function errorsOf(error: unknown): SaveErrors<ItemTarget> {
  const { name, outputGroup, ...others } = fieldErrors(error)
  return {
    fields: {
      ...(name === undefined ? {} : { name }),
      ...(outputGroup === undefined ? {} : { groupName: outputGroup }),
    },
    messages: Object.values(others),
  }
}
