import type { ComponentProps } from 'react'
import { ConflictDialog } from './ConflictDialog.tsx'
import styles from './FieldConflict.module.css'

/**
 * Compares edited fields (name and text) with those of the newer version that another user saved. Hides equal fields.
 */
export function FieldConflict({
  stored,
  edited,
  ...dialog
}: Omit<ComponentProps<typeof ConflictDialog>, 'isSame' | 'children'> & {
  /** Fields of the newer version. */
  stored: Readonly<Record<string, string>>
  /** Fields that would be saved over it. */
  edited: Readonly<Record<string, string>>
}) {
  const names = Object.keys(edited).filter((name) => (stored[name] ?? '') !== edited[name])
  return (
    <ConflictDialog {...dialog} isSame={names.length === 0}>
      {names.map((name) => (
        <li key={name} className={styles.difference}>
          <span>{name}</span>
          <span className={styles.label}>{`Version ${dialog.version}`}</span>
          <span>{stored[name] || 'Empty'}</span>
          <span className={styles.label}>Yours</span>
          <span>{edited[name] || 'Empty'}</span>
        </li>
      ))}
    </ConflictDialog>
  )
}
