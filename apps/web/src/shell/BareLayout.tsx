import { useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { HeaderSlotsContext, breadcrumbsOf } from '@headwater/web-kit'
import { Header } from './Header.tsx'
import styles from './MainLayout.module.css'

/** The layout of pages that open in a separate tab: a header and the page, no sidebar. */
export function BareLayout() {
  const { pathname, search, hash } = useLocation()
  const [note, setNote] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  return (
    <HeaderSlotsContext value={{ note, actions }}>
      <div className={styles.column}>
        <Header crumbs={breadcrumbsOf(pathname, search, hash)} noteRef={setNote} actionsRef={setActions} />
        <main className={styles.outlet}>
          <Outlet />
        </main>
      </div>
    </HeaderSlotsContext>
  )
}
