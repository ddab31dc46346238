import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './Dialog.tsx'
import styles from './ConflictDialog.module.css'

/** Properties of {@link ConflictDialog}. */
export interface ConflictDialogProps {
  /** Sentences with the newer version, its author and its time. */
  text: ReactNode
  /** Differences between the newer version and the edits, as list items. Empty: there are none. Default: unknown. */
  differences?: readonly ReactNode[]
  /** Renders a comparison of both versions when the user requests it. Default: the dialog offers no comparison. */
  comparison?: () => ReactNode
  /** Saves the edits as the newest version. The dialog waits for the promise. */
  onOverwrite: () => void | Promise<unknown>
  /** Whether saving the edits destroys the newer version, because no history contains it. Default false. */
  destroysNewer?: boolean
  /** Replaces the edits with the newer version, after a confirmation. Default: the dialog does not offer this. */
  onDiscard?: () => void
  /** Called when the dialog closes, in every case. */
  onClose: () => void
}

/** Dialog about a newer version of the edited object. The user can save the edits as the newest version, or discard them. */
export function ConflictDialog({
  text,
  differences,
  comparison,
  onOverwrite,
  destroysNewer = false,
  onDiscard,
  onClose,
}: ConflictDialogProps) {
  const [isCompared, setCompared] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const width = differences === undefined && comparison === undefined ? 400 : 520
  return (
    <>
      <ConfirmDialog
        open
        title="A newer version exists"
        confirmLabel="Save mine as latest"
        cancelLabel="Keep editing"
        danger={destroysNewer}
        focusOn="cancel"
        width={isCompared ? 960 : width}
        {...(onDiscard === undefined
          ? {}
          : {
              alternative: {
                label: 'Discard my changes',
                danger: true,
                onChoose: () => setDiscarding(true),
              },
            })}
        onClose={onClose}
        onConfirm={onOverwrite}
      >
        {differences === undefined ? (
          <>
            <p>{text} If you save yours, the other version stays in the version history.</p>
            {comparison === undefined ? null : (
              <div>
                <Button size="small" aria-expanded={isCompared} onClick={() => setCompared(!isCompared)}>
                  {isCompared ? 'Hide comparison' : 'Compare'}
                </Button>
              </div>
            )}
            {isCompared ? <div className={styles.comparison}>{comparison?.()}</div> : null}
          </>
        ) : (
          <>
            <p>{text} If you save yours, the latest version changes as follows:</p>
            {differences.length === 0 ? (
              <p className={styles.same}>None: both versions have the same content.</p>
            ) : (
              <ul className={styles.list} aria-label="Differences" tabIndex={0}>
                {differences}
              </ul>
            )}
          </>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={isDiscarding}
        title="Discard your changes?"
        danger
        confirmLabel="Discard changes"
        cancelLabel="Back"
        onConfirm={() => {
          onClose()
          onDiscard?.()
        }}
        onClose={() => setDiscarding(false)}
      >
        The newer version replaces them. Discarded changes cannot be restored.
      </ConfirmDialog>
    </>
  )
}
