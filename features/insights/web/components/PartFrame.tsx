import type { ReactNode } from 'react'
import { Dialog, ErrorBoundary, PartBoundary } from '@headwater/web-kit'
import { PartBroken } from '@headwater/tiles/web'

/** Wraps a lazy part. If the part fails, an error replaces it and the rest of the page continues. */
export function PartFrame({
  what,
  resetKey,
  waiting,
  onClose,
  children,
}: {
  /** Name of the part in the error; default “part”. */
  what?: 'tile'
  /** A change renders a failed part again. */
  resetKey?: string
  /** Placeholder while the code loads; default nothing. */
  waiting?: ReactNode
  /** Closes the dialog, for parts that are dialogs; their error is also a dialog. */
  onClose?: () => void
  children: ReactNode
}) {
  return (
    <ErrorBoundary
      resetKey={resetKey}
      fallback={({ id, retry }) =>
        onClose === undefined ? (
          <PartBroken what={what} id={id} onRetry={retry} />
        ) : (
          <Dialog
            open
            title={id === undefined ? 'This part could not be loaded' : 'This dialog stopped working'}
            onClose={onClose}
          >
            <PartBroken id={id} onRetry={retry} />
          </Dialog>
        )
      }
    >
      <PartBoundary fallback={waiting ?? null}>{children}</PartBoundary>
    </ErrorBoundary>
  )
}
