import { ConflictDialog, type ConflictDialogProps } from './ConflictDialog.tsx'
import styles from './FieldConflict.module.css'

/**
 * Compares edited fields (name and text) with the fields of the newer version that another user saved, for objects without a
 * history. Hides equal fields.
 */
export function FieldConflict({
  version,
  stored,
  edited,
  ...dialog
}: Omit<ConflictDialogProps, 'differences' | 'destroysNewer'> & {
  /** Number of the newer version. */
  version: number
  /** Fields of the newer version. */
  stored: Readonly<Record<string, string>>
  /** Edited fields, which would replace the stored ones. */
  edited: Readonly<Record<string, string>>
}) {
  const names = Object.keys(edited).filter((name) => (stored[name] ?? '') !== edited[name])
  return (
    <ConflictDialog
      {...dialog}
      destroysNewer
      differences={names.map((name) => (
        <li key={name} className={styles.difference}>
          <span>{name}</span>
          <span className={styles.label}>{`Version ${version}`}</span>
          <span>{stored[name] || 'Empty'}</span>
          <span className={styles.label}>Yours</span>
          <span>{edited[name] || 'Empty'}</span>
        </li>
      ))}
    />
  )
}
