import { type FeatureRoutes, lazyPart, routeNames } from '@headwater/web-kit'
import { insightActions, insightDependents, insightSavedHandlers } from '@headwater/insights/web'

const { insight, publicView } = routeNames

/** Routes, tools and slot items: the list of public insights, the page of visitors, and sharing on the page of an insight. */
export const publishingWeb: FeatureRoutes = {
  routes: [
    {
      path: `${insight}/${publicView}`,
      lazy: () => import('./public/PublicInsightsScreen.tsx'),
      access: { resource: 'PublicView', mode: 'RW', parent: 'Insight' },
    },
    {
      path: `${routeNames.public}/${insight}/:groupName/:insightName/*`,
      lazy: () => import('./public/PublicInsightScreen.tsx'),
      layout: 'public',
      framed: true,
    },
  ],
  tools: [
    {
      id: 'public-views',
      access: { resource: 'Groups', parent: 'Lake' },
      lazy: () => import('./sharing/PublicViewsTool.tsx'),
    },
  ],
  slotItems: [
    insightActions.itemOf(lazyPart(() => import('./sharing/ShareButton.tsx'))),
    insightDependents.itemOf(lazyPart(() => import('./sharing/PublicNote.tsx'))),
    insightSavedHandlers.itemOf(async (name) =>
      (await import('./sharing/assign-roles.ts')).assignRoles(name),
    ),
  ],
}
