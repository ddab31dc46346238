import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { functionRules } from '@headwater/formula'
import { SearchField } from '@headwater/web-kit'
import { exampleWith } from '../formula-draft.ts'
import styles from './FunctionList.module.css'

/** List of the functions of expressions. A click or Enter inserts an example; arrow keys move between entries. */
export function FunctionList({
  inputName,
  onInsert,
}: {
  /** Name of the input in the examples; undefined while no input has a name. */
  inputName: string | undefined
  onInsert: (example: string) => void
}) {
  const headingId = useId()
  const list = useRef<HTMLUListElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const wanted = query.trim().toLowerCase()
  const matches = Object.values(functionRules)
    .map(({ usage, meaning, example }) => ({ usage, meaning, example: exampleWith(example, inputName) }))
    .filter((each) => Object.values(each).some((text) => text.toLowerCase().includes(wanted)))

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const isSearch = event.target instanceof HTMLInputElement
    if (isSearch && event.key === 'Enter') {
      // Enter in a field would send the form.
      event.preventDefault()
      if (wanted !== '' && matches[0] !== undefined) onInsert(matches[0].example)
      return
    }
    const to = isSearch
      ? { ArrowDown: 0 }[event.key]
      : { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: matches.length - 1 }[event.key]
    if (to === undefined || matches.length === 0) return
    event.preventDefault()
    const next = Math.max(0, Math.min(matches.length - 1, to))
    setActive(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={styles.functions} aria-labelledby={headingId} onKeyDown={onKeyDown}>
      <h2 id={headingId} className={styles.heading}>
        Functions
      </h2>
      <SearchField
        label="Search functions"
        value={query}
        onChange={(text) => {
          setQuery(text)
          setActive(0)
        }}
        delayMs={0}
        width="100%"
      />
      {matches.length === 0 ? <p className={styles.none}>No function matches “{query.trim()}”.</p> : null}
      <ul ref={list} className={styles.list}>
        {matches.map(({ usage, meaning, example }, index) => (
          <li key={usage}>
            <button
              type="button"
              className={styles.entry}
              title={`Insert ${example}`}
              tabIndex={index === Math.min(active, matches.length - 1) ? 0 : -1}
              onFocus={() => setActive(index)}
              onClick={() => onInsert(example)}
            >
              <code className={styles.usage}>{usage}</code>
              <span className={styles.meaning}>{meaning}</span>
              <code className={styles.example}>{example}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
