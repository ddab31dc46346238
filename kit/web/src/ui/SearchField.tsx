import { useEffect, useRef, useState } from 'react'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import styles from './SearchField.module.css'

/** Properties of {@link SearchField}. */
export interface SearchFieldProps {
  /** Accessible name. */
  label: string
  /** The search text. */
  value: string
  /** Called when the user pauses typing, and immediately on Enter. */
  onChange: (text: string) => void
  /** Text of the empty field. */
  placeholder?: string
  /** Length of the pause in milliseconds, default 300. */
  delayMs?: number
  /** Width in pixels, default 380. */
  width?: number | string
  /** Focuses the field when it appears. */
  autoFocus?: boolean
}

/** A search field. Esc clears it. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, placeholder = label, delayMs = 300, width = 380, autoFocus } = props
  const [text, setText] = useState(value)
  const [given, setGiven] = useState(value)
  /** Texts that were passed to `onChange` and are not the value yet. */
  const [reported, setReported] = useState<readonly string[]>([])
  if (given !== value) {
    setGiven(value)
    const at = reported.indexOf(value)
    setReported(at < 0 ? [] : reported.slice(at + 1))
    // The page applies a search with a delay. In the meantime, the user may have typed more.
    if (at < 0) setText(value)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  function change(next: string, waitMs: number) {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setReported((earlier) => [...earlier, next])
      latest.current(next)
    }, waitMs)
  }
  return (
    <div className={styles.field} style={{ width }}>
      <IconSearch size={16} stroke={1.6} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        data-autofocus={autoFocus || undefined}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={autoFocus}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change(event.target.value, delayMs)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') change(text, 0)
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            change('', 0)
          }
        }}
      />
      {text === '' ? null : (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear search"
          onClick={() => change('', 0)}
        >
          <IconX size={14} stroke={1.6} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
