import type { ReactNode } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import styles from './Editor.module.css'

/** A collapsible item of an editor. */
export function FoldedItem({
  name,
  note = '',
  color,
  open,
  onToggle,
  children,
}: {
  name: string
  /** Secondary text after the name. */
  note?: string
  /** Colour swatch before the name; default none. */
  color?: string | undefined
  open: boolean
  onToggle: () => void
  children: ReactNode
}) {
  return (
    <div className={styles.item}>
      <button type="button" className={styles.itemHead} aria-expanded={open} onClick={onToggle}>
        {color === undefined ? null : <i className={styles.swatch} style={{ background: color }} />}
        <span>
          {name}
          {note === '' ? null : <span className={styles.quiet}> · {note}</span>}
        </span>
        {open ? <IconChevronUp size={14} stroke={1.6} /> : <IconChevronDown size={14} stroke={1.6} />}
      </button>
      {open ? <div className={styles.itemBody}>{children}</div> : null}
    </div>
  )
}
