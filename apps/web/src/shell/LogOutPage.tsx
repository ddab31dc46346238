import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { session, useSessionState } from '@headwater/accounts/web'
import { links } from '@headwater/web-kit'
import { PageLoader } from './PageLoader.tsx'

/** Ends the session and opens the start page, which then shows the login screen. */
export function LogOutPage() {
  const { phase } = useSessionState()
  const navigate = useNavigate()
  useEffect(() => {
    if (phase === 'starting') return
    void session.logOut().then(() => navigate(links.home(), { replace: true }))
  }, [phase, navigate])
  return <PageLoader label="Logging out" />
}
