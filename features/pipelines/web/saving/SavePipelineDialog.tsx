import { useState } from 'react'
import { type ItemTarget, SaveItemDialog } from '@headwater/items/web'
import { MultiSelect } from '@headwater/web-kit'
import { usePipelineTags } from '../pipelines-client.ts'
import { saveProblems } from './save-problems.ts'

/** Name, group and tags to save a pipeline under. */
export interface PipelineTarget extends ItemTarget {
  tags: string[]
}

/** Dialog for name, group and tags of a pipeline: for the first save, a copy, a rename or a move. */
export function SavePipelineDialog(dialog: {
  title: string
  submitLabel: string
  initial: PipelineTarget
  /** Saves the input. Throws errors of the server; errors about fields appear at the fields. */
  onSave: (target: PipelineTarget) => Promise<void>
  onClose: () => void
}) {
  const [tagText, setTagText] = useState('')
  const known = usePipelineTags(tagText)
  return (
    <SaveItemDialog {...dialog} nameLength={300} errorsOf={saveProblems}>
      {({ target, errors, set }) => (
        <MultiSelect
          label="Tags"
          allowFree
          value={target.tags}
          error={errors.tags}
          placeholder="Add a tag"
          options={known.tags.map((tag) => ({ value: tag, label: tag }))}
          onSearch={setTagText}
          total={known.total}
          onChange={(next) => set({ tags: next })}
        />
      )}
    </SaveItemDialog>
  )
}
