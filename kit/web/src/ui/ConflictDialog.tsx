import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import styles from './ConflictDialog.module.css'
import { Dialog } from './Dialog.tsx'
import { FormActions } from './Form.tsx'

/** Dialog about a newer version of the edited object. The user can overwrite that version or discard the edits. */
export function ConflictDialog({
  author,
  version,
  of = '',
  isSame,
  onOverwrite,
  onDiscard,
  onClose,
  children,
}: {
  /** Author of the newer version; null if unknown. */
  author: string | null
  /** Number of the newer version. */
  version: number
  /** The part to which the version belongs, for example “of the metadata”. Default: the edited object. */
  of?: string
  /** Whether the edits and the newer version have the same content. */
  isSame: boolean
  onOverwrite: () => void
  onDiscard: () => void
  onClose: () => void
  /** The differences between the newer version and the edits. */
  children: ReactNode
}) {
  return (
    <Dialog open onClose={onClose} title="A newer version exists" width={520}>
      <p>
        {`${author ?? 'Another user'} saved version ${version}${of === '' ? '' : ` ${of}`} while you edited. Saving over it makes these changes to that version:`}
      </p>
      {isSame ? (
        <p className={styles.same}>None: both versions have the same content.</p>
      ) : (
        <ul className={styles.list} aria-label="Differences" tabIndex={0}>
          {children}
        </ul>
      )}
      <FormActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button onClick={onDiscard}>Discard my changes</Button>
        <Button variant="primary" onClick={onOverwrite}>
          Save over it
        </Button>
      </FormActions>
    </Dialog>
  )
}
