import { type FeatureRoutes, routeNames } from '@headwater/web-kit'

export { LogLines } from './screens/LogLines.tsx'

const access = { resource: 'Statuses' } as const
const lazy = () => import('./screens/LogsScreen.tsx')

/** Routes of logs in the web application. */
export const logsWeb: FeatureRoutes = {
  routes: [
    { path: `${routeNames.logs}/:jobId`, lazy, access, layout: 'bare', mobile: true },
    { path: `${routeNames.logs}/:jobId/:component`, lazy, access, layout: 'bare', mobile: true },
    { path: `${routeNames.logs}/:jobId/:component/:level`, lazy, access, layout: 'bare', mobile: true },
  ],
}
