import { type KeyboardEvent, memo, useMemo, useState } from 'react'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import type { Task } from '@headwater/tasks/contract'
import { recentTasks, useTaskChoices } from '@headwater/tasks/web'
import { SearchField } from '@headwater/web-kit'
import styles from './Creator.module.css'

/** Type of the data of a dragged task. */
export const draggedTaskType = 'application/x-headwater-task'

/** List of the tasks that can be added, by category; recent ones come first. */
export const TaskPalette = memo(function TaskPalette({
  disabled,
  onAdd,
}: {
  disabled: boolean
  onAdd: (task: Task) => void
}) {
  const [text, setText] = useState('')
  const { tasks, error } = useTaskChoices(text)
  const [recent] = useState(recentTasks)
  const sections = useMemo(() => sectionsOf(tasks, text, recent), [tasks, text, recent])
  return (
    <nav className={styles.palette} aria-label="Tasks to add">
      <SearchField
        label="Search tasks"
        placeholder={`Search ${tasks.length} tasks`}
        width="100%"
        value={text}
        onChange={setText}
      />
      {error !== null && tasks.length === 0 ? (
        <p className={styles.note}>The tasks could not be loaded. Reload the page.</p>
      ) : null}
      {sections.length === 0 && tasks.length > 0 ? <p className={styles.note}>No task found.</p> : null}
      {sections.map(([category, members]) => (
        <section key={category} aria-label={category}>
          <h2 className={styles.category}>{category}</h2>
          <ul onKeyDown={moveFocus}>
            {members.map((task) => (
              <li key={task.id}>
                <button
                  type="button"
                  className={styles.entry}
                  title={task.description || task.readableName}
                  aria-label={`Add ${task.readableName}`}
                  disabled={disabled}
                  draggable={!disabled}
                  onDragStart={(event) => {
                    event.dataTransfer.setData(draggedTaskType, task.id)
                    event.dataTransfer.effectAllowed = 'copy'
                  }}
                  onClick={() => onAdd(task)}
                >
                  <IconGripVertical size={12} stroke={1.6} aria-hidden="true" />
                  <span>{task.readableName}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
})

function sectionsOf(
  tasks: readonly Task[],
  text: string,
  recent: readonly { name: string; groupName: string }[],
): [string, Task[]][] {
  const terms = text.toLowerCase().split(/\s+/)
  const matches = tasks.filter(({ readableName, name, category, groupName }) => {
    const all = `${readableName} ${name} ${category} ${groupName}`.toLowerCase()
    return terms.every((term) => all.includes(term))
  })
  const categories = [...Map.groupBy(matches, ({ category }) => category || 'Other')].toSorted(
    ([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b),
  )
  const used = recent.flatMap(
    (ref) => matches.find(({ name, groupName }) => name === ref.name && groupName === ref.groupName) ?? [],
  )
  return used.length === 0 ? categories : [['Recent', used], ...categories]
}

/** Categories in the order in which data flows through a pipeline. */
const flow = [
  'Triggers',
  'Source',
  'Transform',
  'Python',
  'Check',
  'Storage',
  'Insights',
  'Output',
  'Control',
]

/** Other categories follow, by name. */
function rankOf(category: string): number {
  const at = flow.indexOf(category)
  return at < 0 ? flow.length : at
}

/** The arrow keys move between the tasks of the palette. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const buttons = [...event.currentTarget.closest('nav')!.querySelectorAll<HTMLElement>('ul button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  buttons[at + step]?.focus()
  event.preventDefault()
}
