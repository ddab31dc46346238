import type { ReactNode } from 'react'
import { Dialog, ErrorBoundary, PartBoundary } from '@headwater/web-kit'
import { PartBroken } from '@headwater/tiles/web'

/** Around a part whose code is fetched when it is first shown: one that breaks says so in its place, the rest of the page goes on. */
export function PartFrame({
  what,
  resetKey,
  waiting,
  onClose,
  children,
}: {
  /** What a broken part calls itself, default a part. */
  what?: 'tile'
  /** When it changes, a broken part is tried again. */
  resetKey?: string
  /** What stands there while the code is on the way; default nothing. */
  waiting?: ReactNode
  /** For a part that is a dialog: closes it. A broken one says so in a dialog. */
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
            title={id === undefined ? 'This part could not be loaded' : 'Something went wrong'}
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
