import { type ReactNode, useRef } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import styles from './DetailsPanel.module.css'
import { useEscape } from './escape.ts'
import { usePanelFocus } from './focus-back.ts'
import { IconButton } from './IconButton.tsx'

/**
 * The panel beside a list with the details of the open row: its name, a button to close it, and the details. Esc closes it.
 * If the keyboard opens it, its name gets the focus; when it closes, the row gets the focus again. In a narrow window it
 * replaces the list.
 */
export function DetailsPanel({
  id,
  label,
  title,
  onClose,
  closeLabel = 'Close details',
  children,
}: {
  /** Identifies the open row. */
  id: string
  /** Accessible name. */
  label: string
  title: string
  onClose: () => void
  closeLabel?: string
  children: ReactNode
}) {
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  usePanelFocus(id, panel, heading)
  useEscape(true, onClose)
  return (
    <section ref={panel} className={styles.panel} aria-label={label} data-details>
      <header className={styles.header}>
        <h2 ref={heading} title={title} tabIndex={-1}>
          {title}
        </h2>
        <IconButton label={closeLabel} icon={<IconX size={16} stroke={1.6} />} onClick={onClose} />
      </header>
      {children}
    </section>
  )
}

/** A section of the details with a heading. */
export function DetailsSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** Names and values in two columns: {@link Fact}s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** One name and its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
