import { Navigate } from 'react-router'
import { isFramed, landingPath, useCan, useSession } from '@headwater/accounts/web'
import { links } from '@headwater/web-kit'
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

/** Any path that is not known: Insight in a frame, otherwise the user's default page, otherwise My account. */
export function UnknownPath() {
  const { defaultPage } = useSession()
  const mobile = useMobileMode()
  const can = useCan()
  if (isFramed()) return <Navigate to={links.insightList()} replace />
  if (mobile) return <Navigate to={mobileHome(can) ?? links.myAccount()} replace />
  return <Navigate to={landingPath(defaultPage) ?? links.myAccount()} replace />
}
