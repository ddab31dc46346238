import { accountTabs } from '@headwater/accounts/web'
import { type FeatureRoutes, lazyPart, routeNames } from '@headwater/web-kit'

/** The tab with workers and the queue on the page My account, for administrators. */
export const workersWeb: FeatureRoutes = {
  routes: [],
  slotItems: [
    accountTabs.itemOf({
      hash: routeNames.workers,
      label: 'Workers',
      access: { resource: 'Administrator' },
      part: 'installation',
      Content: lazyPart(() => import('./WorkersTab.tsx')),
    }),
  ],
}
