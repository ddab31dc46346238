import { useState } from 'react'
import { Combobox, errorMessage } from '@headwater/web-kit'
import type { Task } from '../../contract/index.ts'
import { recentTasks, type TaskRef } from '../recent-tasks.ts'
import { useTaskChoices } from '../tasks-client.ts'

/** A field to choose a task by typing a part of its name or group; those that were used last come first. */
export function TaskPicker({
  label = 'Task',
  inGroup = false,
  value,
  onChange,
  ...rest
}: {
  /** Default 'Task'. */
  label?: string
  /** Whether only tasks that are saved in a group are offered, and no built-in ones; default false. */
  inGroup?: boolean
  value: TaskRef | null
  /** Told the whole task that was chosen, in its newest version; null when the choice was taken back. */
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
  // The field begins with the chosen task in it; that is no search.
  const text = typed === own?.label ? '' : typed
  const { tasks, isLoading, error } = useTaskChoices(text)
  const offered = inGroup ? tasks.filter(({ groupName }) => groupName !== '') : tasks
  const byKey = new Map(offered.map((task) => [keyOf(task), task]))
  const first = recent.flatMap((ref) => byKey.get(keyOf(ref)) ?? [])
  const options = [...new Set([...first, ...byKey.values()])]
    .map(optionOf)
    .filter(({ label: found }) => fits(found, text))
  // last, so that Enter takes what was found and not what is chosen already
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
      nothingFound="No task found"
      placeholder="Choose a task"
    />
  )
}

/** No name has a slash in it. */
function keyOf({ name, groupName }: TaskRef): string {
  return `${name}/${groupName}`
}

/** The task as it was chosen here, or as it is named from outside. */
function chosenAs(chosen: Task | undefined, value: TaskRef): TaskRef & { readableName?: string } {
  return chosen !== undefined && keyOf(chosen) === keyOf(value) ? chosen : value
}

function optionOf(task: TaskRef & { readableName: string }): { value: string; label: string } {
  const { readableName, name, groupName } = task
  const own = readableName === name ? name : `${readableName} (${name})`
  return { value: keyOf(task), label: `${own} · ${groupName === '' ? 'built in' : groupName}` }
}

/** Whether every word that was typed stands in a text. */
function fits(text: string, typed: string): boolean {
  const inside = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => inside.includes(word))
}
