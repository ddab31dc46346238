import { useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { isFramed, useCan, useMobileMode } from '@headwater/accounts/web'
import {
  HeaderSlotsContext,
  breadcrumbsOf,
  useFocusOnPage,
  useOpenedTool,
  useShortcut,
} from '@headwater/web-kit'
import { Header } from './Header.tsx'
import { Notices } from './Notices.tsx'
import { MobileNavigation } from './MobileNavigation.tsx'
import { Overlays } from './Overlays.tsx'
import { RedirectNotice } from './RedirectNotice.tsx'
import { Sidebar } from './Sidebar.tsx'
import { ToolModals } from './ToolModals.tsx'
import { dropSearch, openSearch } from './typed-ahead.ts'
import styles from './MainLayout.module.css'

/**
 * The main layout in its three forms. Desktop: sidebar, header with breadcrumbs, page, tools and panels. Mobile:
 * header, page, tools and a bar with the pages of the mobile layout. Framed: the page alone.
 */
export function MainLayout() {
  const { pathname, search, hash } = useLocation()
  const framed = isFramed()
  const mobile = useMobileMode()
  const [note, setNote] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  useFocusOnPage(pathname)
  // A panel would open below the tool.
  const isToolOpen = useOpenedTool() !== undefined
  const hasSearch = useCan()('Search') && !framed && !mobile
  useShortcut('mod+k', openSearch, { label: 'Search all', enabled: hasSearch && !isToolOpen })
  useEffect(() => {
    if (!hasSearch) dropSearch()
  }, [hasSearch])
  return (
    <HeaderSlotsContext value={{ note, actions }}>
      <div className={styles.layout}>
        <a href="#page" className={styles.skip}>
          Skip to content
        </a>
        {framed || mobile ? null : <Sidebar />}
        <div className={styles.column}>
          <Header
            crumbs={framed ? [] : breadcrumbsOf(pathname, search, hash)}
            noteRef={setNote}
            actionsRef={setActions}
          />
          <RedirectNotice />
          {framed || mobile ? null : <Notices />}
          <main id="page" tabIndex={-1} className={styles.outlet}>
            <Outlet />
          </main>
          {mobile ? <MobileNavigation /> : null}
        </div>
        {framed || mobile ? null : <Overlays />}
        {framed ? null : <ToolModals />}
      </div>
    </HeaderSlotsContext>
  )
}
