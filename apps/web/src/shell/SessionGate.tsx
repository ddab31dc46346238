import { useEffect } from 'react'
import { Outlet } from 'react-router'
import {
  isFramed,
  session,
  signedOutScreens,
  startedNarrow,
  switchAccountScreen,
  useSessionState,
} from '@headwater/accounts/web'
import {
  ErrorBoundary,
  ErrorState,
  lazyPart,
  PartBoundary,
  useProductConfig,
  useShortcut,
} from '@headwater/web-kit'
import { PageLoader } from './PageLoader.tsx'
import { dropSearch, openSearch } from './typed-ahead.ts'

const Login = lazyPart(signedOutScreens.login)
const SwitchAccount = lazyPart(switchAccountScreen)

/** Renders the page for signed-in users, and the login screen for all others. */
export function SessionGate() {
  const state = useSessionState()
  const { loading } = useProductConfig()
  const isSignedOut = state.phase === 'signed-out'
  useEffect(() => {
    if (isSignedOut) dropSearch()
  }, [isSignedOut])
  if (state.phase === 'unreachable') {
    return (
      <main>
        <ErrorState
          title="The server cannot be reached"
          error={state.error}
          onRetry={() => void session.start()}
        />
      </main>
    )
  }
  if (state.phase === 'starting' || (state.phase === 'signed-in' && loading)) return <SigningIn />
  if (state.phase === 'switching' || isSignedOut) {
    return (
      <ErrorBoundary>
        <PartBoundary fallback={<PageLoader />}>
          {isSignedOut ? <Login /> : <SwitchAccount choice={state.choice} />}
        </PartBoundary>
      </ErrorBoundary>
    )
  }
  return <Outlet />
}

/** The search shortcut already works here; the search panel opens once the page has loaded. */
function SigningIn() {
  useShortcut('mod+k', openSearch, { label: 'Search all', enabled: !isFramed() && !startedNarrow() })
  return <PageLoader label="Signing in" />
}
