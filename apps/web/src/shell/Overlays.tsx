import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import {
  ErrorBoundary,
  type FeatureOverlay,
  type LazyPart,
  SidePanel,
  closeOverlays,
  lazyPart,
  PartBoundary,
  useOpenOverlay,
} from '@headwater/web-kit'
import { overlays } from '../features.ts'
import { PageSkeleton } from './PageSkeleton.tsx'

/** The search panel belongs to the shell; the others come from features. */
const allOverlays: readonly FeatureOverlay[] = [
  {
    id: 'search',
    label: 'Search all',
    access: { resource: 'Search' },
    lazy: () => import('./SearchPanel.tsx'),
  },
  ...overlays,
]

const contents: Record<string, LazyPart<{ onClose: () => void }>> = Object.fromEntries(
  allOverlays.map((overlay) => [overlay.id, lazyPart(overlay.lazy)]),
)

/** The open panel over the page, if any. Opening another page closes it. */
export function Overlays() {
  const open = useOpenOverlay()
  const can = useCan()
  const { pathname } = useLocation()
  const isRedirect = useNavigationType() === 'REPLACE'
  const before = useRef(pathname)
  const offset = useSidebarWidth()
  useEffect(() => {
    // A panel can open while the next page still loads. Its pathname is then that of the next page.
    const isOverPage = open?.pathname === pathname
    if (before.current !== pathname && !isRedirect && !isOverPage) closeOverlays()
    before.current = pathname
  }, [pathname, isRedirect, open])
  // Text typed right after the shortcut would be lost while the code of the search loads.
  useEffect(() => contents['search']?.preloadWhenIdle(), [])
  const overlay = allOverlays.find(({ id }) => id === open?.id)
  const Content = open === undefined ? undefined : contents[open.id]
  if (overlay === undefined || Content === undefined) return null
  const { access } = overlay
  if (access !== undefined && !can(access.resource, access.mode, access.parent)) return null
  return (
    <SidePanel open onClose={closeOverlays} label={overlay.label} offset={offset}>
      <ErrorBoundary resetKey={overlay.id}>
        <PartBoundary fallback={<PageSkeleton />}>
          <Content onClose={closeOverlays} />
        </PartBoundary>
      </ErrorBoundary>
    </SidePanel>
  )
}

/** Observes the width of the sidebar: a panel begins where the sidebar ends, also during its animation. */
function useSidebarWidth(): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const sidebar = document.querySelector('nav[aria-label="Main"]')
    if (sidebar === null) return
    const measure = () => setWidth(sidebar.getBoundingClientRect().width)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(sidebar)
    return () => observer.disconnect()
  }, [])
  return width
}
