import { Navigate, useLocation } from 'react-router'
import { isFramed, landingPath, mobileHome, useCan, useMobileMode, useSession } from '@headwater/accounts/web'
import { links, type RedirectReason, redirectState } from '@headwater/web-kit'

/** The start page: on a desktop the user's default page, or Insight when none is set. */
export function HomeRedirect() {
  const { defaultPage } = useSession()
  const mobile = useMobileMode()
  const can = useCan()
  if (isFramed()) return <Navigate to={links.insightList()} replace />
  if (mobile) return <Navigate to={mobileHome(can) ?? links.insightList()} replace />
  return <Navigate to={landingPath(defaultPage) ?? links.insightList()} replace />
}

/** Redirects an unknown path. */
export function NoSuchPage() {
  const { pathname } = useLocation()
  return <UnknownPath reason={{ title: 'Page not found', text: `There is no page ${readable(pathname)}.` }} />
}

function readable(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}

/** Redirects an unknown path: to Insight in a frame, otherwise to the user's default page, otherwise to My account. */
export function UnknownPath({ reason }: { reason: RedirectReason }) {
  const { defaultPage } = useSession()
  const mobile = useMobileMode()
  const can = useCan()
  const target = () => {
    if (isFramed()) return links.insightList()
    return (mobile ? mobileHome(can) : landingPath(defaultPage)) ?? links.myAccount()
  }
  return <Navigate to={target()} state={redirectState(reason)} replace />
}
