import { type FeatureRoutes, routeNames } from '@headwater/web-kit'

export { newestStatus } from './newest-status.ts'
export { RunNote } from './RunNote.tsx'
export { endOfRun, followRun, isRunOver, runMessage, useLastRuns, useRun } from './runs.ts'

const access = { resource: 'Statuses' } as const
const logs = () => import('./screens/LogsScreen.tsx')

/** Routes of the statuses feature: the panel, its page, and the logs of a job. */
export const statusesWeb: FeatureRoutes = {
  routes: [
    { path: routeNames.statuses, lazy: () => import('./screens/StatusesScreen.tsx'), access, mobile: true },
    { path: `${routeNames.logs}/:jobId`, lazy: logs, access, layout: 'bare', mobile: true },
    { path: `${routeNames.logs}/:jobId/:component`, lazy: logs, access, layout: 'bare', mobile: true },
    { path: `${routeNames.logs}/:jobId/:component/:level`, lazy: logs, access, layout: 'bare', mobile: true },
  ],
  overlays: [{ id: 'statuses', label: 'Statuses', access, lazy: () => import('./panel/StatusesPanel.tsx') }],
}
