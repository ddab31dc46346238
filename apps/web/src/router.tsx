import type { QueryClient } from '@tanstack/react-query'
import { Navigate, Outlet, type RouteObject, createBrowserRouter, useLocation } from 'react-router'
import { signedOutScreens } from '@headwater/accounts/web'
import {
  ErrorBoundary,
  type FeatureRoute,
  type LazyPart,
  lazyPart,
  links,
  PartBoundary,
  routeNames as names,
} from '@headwater/web-kit'
import { replaceRepeatedNavigation } from './replace-repeated.ts'
import { allRoutes } from './features.ts'
import { BareLayout } from './shell/BareLayout.tsx'
import { GuardedPage } from './shell/GuardedPage.tsx'
import { LogOutPage } from './shell/LogOutPage.tsx'
import { MainLayout } from './shell/MainLayout.tsx'
import { PublicHome, PublicLayout } from './shell/PublicLayout.tsx'
import { Root } from './shell/Root.tsx'
import { SessionGate } from './shell/SessionGate.tsx'
import { HomeRedirect, NoSuchPage } from './shell/redirects.tsx'
import { PageLoader } from './shell/PageLoader.tsx'

const ResetPassword = lazyPart(signedOutScreens.resetPassword)
const Activate = lazyPart(signedOutScreens.activate)
const ChangePassword = lazyPart(signedOutScreens.changePassword)

/** Properties of a page in the router. */
interface PageHandle {
  route: FeatureRoute
  Page: LazyPart<object>
}

function pagesOf(layout: NonNullable<FeatureRoute['layout']>): RouteObject[] {
  return allRoutes
    .filter((route) => (route.layout ?? 'main') === layout)
    .map((route) => {
      const Page = lazyPart(route.lazy)
      const handle: PageHandle = { route, Page }
      return { path: route.path, handle, element: <GuardedPage route={route} Page={Page} /> }
    })
}

function EntryScreens() {
  return (
    <ErrorBoundary resetKey={useLocation().pathname}>
      <PartBoundary fallback={<PageLoader />}>
        <Outlet />
      </PartBoundary>
    </ErrorBoundary>
  )
}

/**
 * Every path of the product, matched regardless of case.
 */
export function createRouter() {
  const router = createBrowserRouter([
    {
      element: <Root />,
      children: [
        {
          element: <EntryScreens />,
          children: [
            { path: names.resetPassword, element: <ResetPassword /> },
            { path: `${names.activate}/:token/:templateName?`, element: <Activate /> },
            { path: `${names.changePassword}/:token?`, element: <ChangePassword /> },
          ],
        },
        { path: names.logout, element: <LogOutPage /> },
        {
          element: <PublicLayout />,
          children: [
            ...pagesOf('public'),
            { path: `${names.public}/${names.insight}`, element: <PublicHome /> },
            {
              path: `${names.public}/*`,
              element: <Navigate to={`/${names.public}/${names.insight}`} replace />,
            },
          ],
        },
        {
          element: <SessionGate />,
          children: [
            { element: <BareLayout />, children: pagesOf('bare') },
            {
              element: <MainLayout />,
              children: [
                { path: links.home(), element: <HomeRedirect /> },
                ...pagesOf('main'),
                { path: '*', element: <NoSuchPage /> },
              ],
            },
          ],
        },
      ],
    },
  ])
  replaceRepeatedNavigation(router)
  // The code of the page loads while the session starts.
  handleOf(router)?.Page.preload()
  return router
}

type Router = ReturnType<typeof createBrowserRouter>

/** Loads the data of the current page into the cache. */
export function preloadPage(router: Router, cache: QueryClient): void {
  const { location, matches } = router.state
  const { params = {} } = matches.at(-1) ?? {}
  void handleOf(router)?.route.preload?.({ params, search: new URLSearchParams(location.search) }, cache)
}

function handleOf(router: Router): PageHandle | undefined {
  return router.state.matches.at(-1)?.route.handle as PageHandle | undefined
}
