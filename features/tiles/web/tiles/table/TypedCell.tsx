import { useState } from 'react'
import styles from './TableTile.module.css'

/** An editable cell of typed rows. Enter and blur save the text, Escape discards it. */
export function TypedCell({
  label,
  value,
  align,
  onChange,
}: {
  label: string
  value: string
  align: 'left' | 'center' | 'right'
  onChange: (value: string) => void
}) {
  const [typed, setTyped] = useState<string>()
  return (
    <input
      className={styles.choice}
      aria-label={label}
      value={typed ?? value}
      style={{ textAlign: align }}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => {
        if (typed !== undefined && typed !== value) onChange(typed)
        setTyped(undefined)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(undefined)
        // While typing, only the shortcuts of the row apply, not its other keys.
        if (!event.ctrlKey && !event.metaKey && event.key !== 'Insert') event.stopPropagation()
      }}
    />
  )
}
