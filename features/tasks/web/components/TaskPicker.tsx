import { useState } from 'react'
import { Combobox, errorMessage } from '@headwater/web-kit'
import type { Task } from '../../contract/index.ts'
import { recentTasks, type TaskRef } from '../recent-tasks.ts'
import { useTaskChoices } from '../tasks-client.ts'

/** Field for choosing a task by part of its name or group. Recent tasks come first. */
export function TaskPicker({
  label = 'Task',
  inGroup = false,
  value,
  onChange,
  ...rest
}: {
  /** Label of the field. Default `Task`. */
  label?: string
  /** Whether to omit built-in tasks. Default false. */
  inGroup?: boolean
  value: TaskRef | null
  /** Called with the newest version of the chosen task, or null when the user clears the field. */
  onChange: (task: Task | null) => void
  error?: string | undefined
  hint?: string
  required?: boolean
  disabled?: boolean
  clearable?: boolean
}) {
  const [typed, setTyped] = useState('')
  const [recent] = useState(recentTasks)
  const [chosen, setChosen] = useState<Task>()
  const own = value === null ? undefined : optionOf({ readableName: value.name, ...chosenAs(chosen, value) })
  // The field initially contains the label of the chosen task, which is not a search.
  const text = typed === own?.label ? '' : typed
  const { tasks, total, isLoading, error } = useTaskChoices(text)
  const offered = inGroup ? tasks.filter(({ groupName }) => groupName !== '') : tasks
  const byKey = new Map(offered.map((task) => [keyOf(task), task]))
  const first = recent.flatMap((ref) => byKey.get(keyOf(ref)) ?? [])
  const options = [...new Set([...first, ...byKey.values()])]
    .map(optionOf)
    .filter(({ label: optionLabel }) => containsAll(optionLabel, text))
  // The current task is last, so that Enter chooses a match.
  if (own !== undefined && !options.some((option) => option.value === own.value)) options.push(own)
  return (
    <Combobox
      {...rest}
      label={label}
      value={value === null ? null : keyOf(value)}
      onChange={(key) => {
        const task = key === null ? undefined : byKey.get(key)
        setChosen(task)
        onChange(task ?? null)
      }}
      options={options}
      {...(error === null ? {} : { error: errorMessage(error) })}
      loading={isLoading}
      onSearch={setTyped}
      // Without built-in tasks, the number of matches for a search text is unknown.
      total={inGroup || text !== '' ? undefined : total}
      nothingFound="No task found"
      placeholder="Choose a task"
    />
  )
}

/** Names contain no slashes, so the key is unique. */
function keyOf({ name, groupName }: TaskRef): string {
  return `${name}/${groupName}`
}

/** Returns the task that was chosen in this field if `value` still refers to it; otherwise `value`, which has no display name. */
function chosenAs(chosen: Task | undefined, value: TaskRef): TaskRef & { readableName?: string } {
  return chosen !== undefined && keyOf(chosen) === keyOf(value) ? chosen : value
}

function optionOf(task: TaskRef & { readableName: string }): { value: string; label: string } {
  const { readableName, name, groupName } = task
  const own = readableName === name ? name : `${readableName} (${name})`
  return { value: keyOf(task), label: `${own} · ${groupName === '' ? 'built in' : groupName}` }
}

/** Returns whether a string contains every typed term. */
function containsAll(text: string, typed: string): boolean {
  const lowerCase = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((term) => lowerCase.includes(term))
}
