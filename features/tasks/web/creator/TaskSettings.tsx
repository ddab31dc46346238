import { GroupPicker } from '@headwater/groups/web'
import { type FormItems, type Option, SchemaForm } from '@headwater/web-kit'
import type { z } from 'zod'
import { taskInput, type TaskDefinition } from '../../contract/index.ts'
import { type TaskDraft, withKind } from './task-draft.ts'
import styles from './TaskCreator.module.css'

const schema = taskInput.omit({ params: true, requirements: true })
type Settings = z.output<typeof schema>

/** Panel with the name, group, kind and limits of a task. */
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
  const kinds = definitions.map(({ definitionName, readableName }) => ({
    value: definitionName,
    label: readableName,
  }))
  const kind = definitions.find(({ definitionName }) => definitionName === draft.definitionName)
  if (kind === undefined) kinds.push({ value: draft.definitionName, label: draft.definitionName })
  return (
    <fieldset className={styles.panel} disabled={disabled}>
      <h2 className={styles.title}>Task</h2>
      <SchemaForm
        schema={schema}
        items={itemsOf(kinds, kind?.description)}
        value={draft}
        disabled={disabled}
        errors={errors}
        onChange={({ definitionName, ...change }) => {
          const chosen = definitions.find((each) => each.definitionName === definitionName)
          onChange(chosen === undefined ? { ...draft, ...change } : withKind(draft, chosen))
        }}
      />
    </fieldset>
  )
}

function itemsOf(kinds: readonly Option[], kindHint: string | undefined): FormItems<Settings> {
  return [
    { field: 'name', label: 'Name', maxLength: 200 },
    {
      field: 'groupName',
      label: 'Group',
      control: ({ value, onChange, ...props }) => (
        <GroupPicker
          {...props}
          value={value === '' ? null : value}
          onChange={(group) => onChange(group ?? '')}
        />
      ),
    },
    { field: 'readableName', label: 'Display name', placeholder: ({ name }) => name },
    { field: 'definitionName', label: 'Kind', choices: kinds, hint: kindHint },
    { field: 'description', label: 'Description', rows: 3 },
    [
      { field: 'timeout', label: 'Timeout (s)' },
      { field: 'memory', label: 'Memory (MiB)', step: 64 },
    ],
    {
      field: 'isPaused',
      label: 'Require approval before this task',
      hint: 'Pipeline runs wait here until someone continues them.',
      as: 'checkbox',
    },
  ]
}
