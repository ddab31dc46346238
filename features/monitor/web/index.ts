import { type FeatureRoute, type FeatureRoutes, routeNames as names } from '@headwater/web-kit'

const access = { resource: 'Monitor', parent: 'Science' }

/** Routes of the feature: the runs, the details of a run, the results of a pipeline by date. */
export const monitorWeb: FeatureRoutes = {
  routes: [names.monitor, names.dashboard].flatMap((area): FeatureRoute[] => [
    {
      path: `${names.science}/${area}`,
      lazy: () => import('./screens/MonitorScreen.tsx'),
      access,
    },
    {
      path: `${names.science}/${area}/${names.details}/:jobId?`,
      lazy: () => import('./screens/RunScreen.tsx'),
      access,
    },
    {
      path: `${names.science}/${area}/${names.history}/:groupName/:name`,
      lazy: () => import('./screens/HistoryScreen.tsx'),
      access,
    },
  ]),
}
