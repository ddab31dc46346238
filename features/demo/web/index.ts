import type { FeatureRoutes } from '@headwater/web-kit'

/** Notice of the demo feature. */
export const demoWeb: FeatureRoutes = {
  routes: [],
  notices: [
    { id: 'demo', access: { resource: 'Administrator' }, lazy: () => import('./components/DemoNotice.tsx') },
  ],
}
