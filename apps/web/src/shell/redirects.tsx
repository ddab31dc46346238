import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { isFramed, landingPath, useCan, useSession } from '@headwater/accounts/web'
import { links, message } from '@headwater/web-kit'
import { mobileHome, useMobileMode } from './mobile.ts'

/** The start page: on a desktop the user's default page, or Insight when none is set. */
export function HomeRedirect() {
  const { defaultPage } = useSession()
  const mobile = useMobileMode()
  const can = useCan()
  if (isFramed()) return <Navigate to={links.insightList()} replace />
  if (mobile) return <Navigate to={mobileHome(can) ?? links.insightList()} replace />
  return <Navigate to={landingPath(defaultPage) ?? links.insightList()} replace />
}

/** Where nothing was ever served: says so, and leads on. Inside of another page, which has chosen the path, only leads on. */
export function NoSuchPage() {
  const { pathname } = useLocation()
  useEffect(() => {
    if (!isFramed()) message(`There is no page ${readable(pathname)}.`, 'info')
  }, [pathname])
  return <UnknownPath />
}

function readable(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}

/** Any path that is not served here: Insight in a frame, otherwise the user's default page, otherwise My account. */
export function UnknownPath() {
  const { defaultPage } = useSession()
  const mobile = useMobileMode()
  const can = useCan()
  if (isFramed()) return <Navigate to={links.insightList()} replace />
  if (mobile) return <Navigate to={mobileHome(can) ?? links.myAccount()} replace />
  return <Navigate to={landingPath(defaultPage) ?? links.myAccount()} replace />
}
