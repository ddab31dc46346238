import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { createStore, useStore } from '../call/store.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'

const unsaved = createStore(0)

/** Marks the page as having unsaved changes while `when` is true; leaving it is asked about. Several may stand on a page. */
export function UnsavedGuard({ when }: { when: boolean }) {
  useEffect(() => {
    if (!when) return
    unsaved.set(unsaved.get() + 1)
    return () => unsaved.set(unsaved.get() - 1)
  }, [when])
  return null
}

/** Asks before a page with unsaved changes is left: within the product by a dialog, otherwise by the browser's own. Drawn once by the shell. */
export function UnsavedQuestion() {
  const when = useStore(unsaved) > 0
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved.get() > 0 && currentLocation.pathname !== nextLocation.pathname,
  )
  const isLeaving = useRef(false)
  useEffect(() => {
    if (!when) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [when])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Unsaved changes"
      confirmLabel="Leave"
      cancelLabel="Stay"
      danger
      onConfirm={() => {
        isLeaving.current = true
      }}
      onClose={() => {
        // One answer only: going back takes a moment, and a reset meanwhile would end it.
        if (blocker.state === 'blocked') blocker[isLeaving.current ? 'proceed' : 'reset']()
        isLeaving.current = false
      }}
    >
      This page has changes that are not saved. Leave without them?
    </ConfirmDialog>
  )
}
