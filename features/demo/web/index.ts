import type { FeatureRoutes } from '@headwater/web-kit'

/** What the demo room hands to the shell. */
export const demoWeb: FeatureRoutes = {
  routes: [],
  notices: [
    { id: 'demo', access: { resource: 'Administrator' }, lazy: () => import('./components/DemoNotice.tsx') },
  ],
}
