import { GroupPicker } from '@headwater/groups/web'
import { Checkbox, FieldRow, NumberField, Select, TextField } from '@headwater/web-kit'
import type { TaskDefinition } from '../../contract/index.ts'
import { type TaskDraft, withKind } from './task-draft.ts'
import styles from './TaskCreator.module.css'

/** What a task is called, where it lies, what kind it is and what it may use. */
export function TaskSettings({
  draft,
  definitions,
  disabled,
  errors,
  onChange,
}: {
  draft: TaskDraft
  definitions: readonly TaskDefinition[]
  disabled: boolean
  errors: Readonly<Record<string, string>>
  onChange: (draft: TaskDraft) => void
}) {
  const set = (change: Partial<TaskDraft>) => onChange({ ...draft, ...change })
  const kinds = definitions.map(({ definitionName, readableName }) => ({
    value: definitionName,
    label: readableName,
  }))
  const kind = definitions.find(({ definitionName }) => definitionName === draft.definitionName)
  if (kind === undefined) kinds.push({ value: draft.definitionName, label: draft.definitionName })
  return (
    <fieldset className={styles.panel} disabled={disabled}>
      <h2 className={styles.title}>Task</h2>
      <TextField
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        error={errors.name}
        onChange={(name) => set({ name })}
      />
      <GroupPicker
        label="Group"
        required
        disabled={disabled}
        value={draft.groupName === '' ? null : draft.groupName}
        error={errors.groupName}
        onChange={(group) => set({ groupName: group ?? '' })}
      />
      <TextField
        label="Display name"
        maxLength={200}
        value={draft.readableName}
        placeholder={draft.name}
        error={errors.readableName}
        onChange={(readableName) => set({ readableName })}
      />
      <Select
        label="Kind"
        required
        disabled={disabled}
        value={draft.definitionName}
        options={kinds}
        hint={kind?.description}
        error={errors.definitionName}
        onChange={(name) => {
          const chosen = definitions.find(({ definitionName }) => definitionName === name)
          if (chosen !== undefined) onChange(withKind(draft, chosen))
        }}
      />
      <TextField
        label="Description"
        rows={3}
        maxLength={4000}
        value={draft.description}
        error={errors.description}
        onChange={(description) => set({ description })}
      />
      <FieldRow>
        <NumberField
          label="Timeout (s)"
          min={1}
          max={3600}
          value={draft.timeout}
          error={errors.timeout}
          onChange={(timeout) => set({ timeout })}
        />
        <NumberField
          label="Memory (MiB)"
          min={64}
          max={4096}
          step={64}
          value={draft.memory}
          error={errors.memory}
          onChange={(memory) => set({ memory })}
        />
      </FieldRow>
      <Checkbox
        label="Require approval before this task"
        hint="Pipeline runs wait here until someone continues them."
        checked={draft.isPaused}
        disabled={disabled}
        onChange={(isPaused) => set({ isPaused })}
      />
    </fieldset>
  )
}
