import { useState } from 'react'
import { Outlet } from 'react-router'
import { Toasts, UnsavedDialog, useShortcut } from '@headwater/web-kit'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'

/** Parts of every page: toasts and the list of shortcuts. */
export function Root() {
  const [listing, setListing] = useState(false)
  useShortcut('?', () => setListing(true), { label: 'Show all shortcuts' })
  return (
    <>
      <Outlet />
      <ShortcutsDialog open={listing} onClose={() => setListing(false)} />
      <UnsavedDialog />
      <Toasts />
    </>
  )
}
