import type { ComponentType } from 'react'
import { Navigate, useLocation } from 'react-router'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { isFramed, useCan, useMobileMode } from '@headwater/accounts/web'
import {
  Button,
  EmptyState,
  ErrorBoundary,
  type FeatureRoute,
  Page as PageFrame,
  PartBoundary,
  type RedirectReason,
  links,
  routeNames as names,
  sameName,
  useProductConfig,
} from '@headwater/web-kit'
import { PageSkeleton } from './PageSkeleton.tsx'
import { NoSuchPage, UnknownPath } from './redirects.tsx'

const notOnPhones: RedirectReason = {
  title: 'Page not available',
  text: 'Open it in a window at least 768 pixels wide.',
}

/** Shows a page to users with access, in the layouts in which it exists. */
export function GuardedPage({ route, Page }: { route: FeatureRoute; Page: ComponentType }) {
  const can = useCan()
  const mobile = useMobileMode()
  const { warehouseOnly } = useProductConfig()
  const { pathname } = useLocation()
  const open = route.layout === 'public'
  const [area = ''] = route.path.split('/')
  if (!open && isFramed() && !sameName(area, names.insight))
    return <Navigate to={links.insightList()} replace />
  if (!open && mobile && !route.mobile) return <UnknownPath reason={notOnPhones} />
  if (route.warehouseOnly && !warehouseOnly) return <NoSuchPage />
  const { access } = route
  if (access !== undefined && !open && !can(access.resource, access.mode, access.parent)) return <NoAccess />
  return (
    <ErrorBoundary resetKey={pathname}>
      <PartBoundary fallback={<PageSkeleton />}>
        <Page />
      </PartBoundary>
    </ErrorBoundary>
  )
}

function NoAccess() {
  return (
    <PageFrame>
      <EmptyState
        icon={<IconLock size={20} stroke={1.6} />}
        title="You do not have access to this page"
        action={<Button href={links.myAccount()}>My account</Button>}
      >
        Your roles do not include this page. Ask an administrator for access.
      </EmptyState>
    </PageFrame>
  )
}
