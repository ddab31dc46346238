import type { z } from 'zod'
import { type FormItems, SchemaForm } from '@headwater/web-kit'
import { AddButton } from './AddButton.tsx'
import styles from './Editor.module.css'
import { ListTools } from './ListTools.tsx'

/** A list of entries: a numbered box with fields for each, and a button that adds one. */
export function EntryList<Entry extends object>({
  kind,
  schema,
  items,
  entries,
  newEntry = () => schema.parse({}),
  movable = false,
  addDisabled = false,
  onChange,
}: {
  /** Name of an entry, for example `Field`. */
  kind: string
  schema: z.ZodType<Entry>
  /** The fields of an entry. */
  items: FormItems<NoInfer<Entry>>
  entries: readonly NoInfer<Entry>[]
  /** Default: an entry with default values. */
  newEntry?: () => NoInfer<Entry>
  /** Whether users can move entries. Default false. */
  movable?: boolean
  addDisabled?: boolean
  /** Consecutive changes of one topic are one undo step. */
  onChange: (entries: NoInfer<Entry>[], topic?: string) => void
}) {
  const noun = kind.toLowerCase()
  return (
    <>
      {entries.map((entry, index) => (
        <fieldset key={index} className={styles.rule} aria-label={`${kind} ${index + 1}`}>
          <div className={styles.row}>
            <span className={styles.quiet}>
              {kind} {index + 1}
            </span>
            <ListTools
              list={entries}
              index={index}
              labels={{
                ...(movable ? { up: `Move ${noun} ${index + 1} up` } : {}),
                remove: `Delete ${noun} ${index + 1}`,
              }}
              onChange={(next) => onChange(next)}
            />
          </div>
          <SchemaForm
            schema={schema}
            items={items}
            value={entry}
            onChange={(change) =>
              onChange(
                entries.with(index, { ...entry, ...change }),
                `${noun} ${index} ${Object.keys(change).join()}`,
              )
            }
          />
        </fieldset>
      ))}
      <AddButton disabled={addDisabled} onClick={() => onChange([...entries, newEntry()])}>
        Add {noun}
      </AddButton>
    </>
  )
}
