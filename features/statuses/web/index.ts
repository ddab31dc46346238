import { type FeatureRoutes, routeNames } from '@headwater/web-kit'

export { CopyJobId } from './CopyJobId.tsx'
export { jobDetail, jobTitle, runTime } from './job-texts.ts'
export { newestStatus } from './newest-status.ts'
export { RunNote } from './RunNote.tsx'
export { dismissAtEnd, endOfRun, followRun, isRunOver, runMessage, useLastRuns, useRun } from './runs.ts'

const access = { resource: 'Statuses' } as const

/** Routes of the statuses feature: the panel and its page. */
export const statusesWeb: FeatureRoutes = {
  routes: [
    { path: routeNames.statuses, lazy: () => import('./screens/StatusesScreen.tsx'), access, mobile: true },
  ],
  overlays: [{ id: 'statuses', label: 'Statuses', access, lazy: () => import('./panel/StatusesPanel.tsx') }],
}
