import { useState } from 'react'
import styles from './TableTile.module.css'

/** A cell of typed rows while the insight is edited: Enter and leaving it take the text over, Escape does not. */
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
        // The keys of the row are not meant while a text is typed; those of its shortcuts are.
        if (!event.ctrlKey && !event.metaKey && event.key !== 'Insert') event.stopPropagation()
      }}
    />
  )
}
