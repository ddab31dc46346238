import { Outlet } from 'react-router'
import { session, signedOutScreens, useSessionState } from '@headwater/accounts/web'
import { ErrorBoundary, ErrorState, lazyPart, PartBoundary, useProductConfig } from '@headwater/web-kit'
import { PageLoader } from './PageLoader.tsx'

const Login = lazyPart(signedOutScreens.login)

/** Lets signed-in users through; everybody else sees the login screen, whatever the path. */
export function SessionGate() {
  const state = useSessionState()
  const { loading } = useProductConfig()
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
  if (state.phase === 'starting' || (state.phase === 'signed-in' && loading))
    return <PageLoader label="Signing in" />
  if (state.phase === 'signed-out') {
    return (
      <ErrorBoundary>
        <PartBoundary fallback={<PageLoader />}>
          <Login />
        </PartBoundary>
      </ErrorBoundary>
    )
  }
  return <Outlet />
}
