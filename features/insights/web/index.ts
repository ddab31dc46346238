import { insightActions, insightDependents, insightFrames, insightSavedHandlers, insightViews } from './slots.ts'
import { type FeatureRoutes, lazyPart, links, routeNames } from '@headwater/web-kit'

const access = { resource: 'Insight' } as const
const list = () => import('./screens/InsightsScreen/InsightsScreen.tsx')
const { insight, creator, visualisations, workflows, publicView, templates, versions } = routeNames

// lazily loaded with the page of an insight
const slotItems = [
  insightFrames.itemOf(lazyPart(() => import('./exports/ExportRoom.tsx'))),
  insightActions.itemOf(lazyPart(() => import('./exports/ExportMenu.tsx'))),
  insightActions.itemOf(lazyPart(() => import('./sharing/ShareButton.tsx'))),
  insightViews.itemOf({
    name: 'EXPORT',
    Screen: lazyPart(() => import('./email-export/EmailExportScreen.tsx')),
  }),
  insightDependents.itemOf(lazyPart(() => import('./sharing/PublicNote.tsx'))),
  insightSavedHandlers.itemOf(async (name) => (await import('./sharing/assign-roles.ts')).assignRoles(name)),
  insightDependents.itemOf(lazyPart(() => import('./email-export/ExporterNote.tsx'))),
]

/** What the insights room hands to the shell: the lists, the page of an insight, the builder of a new one. */
export const insightsWeb: FeatureRoutes = {
  routes: [
    { path: insight, lazy: list, access, framed: true },
    ...[visualisations, workflows].map((name) => ({
      path: `${insight}/${name}`,
      lazy: () => import('./screens/InsightsScreen/InsightsOfKind.tsx'),
      access,
      framed: true,
    })),
    {
      path: `${insight}/${creator}`,
      lazy: () => import('./screens/InsightScreen/NewInsightScreen.tsx'),
      access: { resource: 'Visualisations', mode: 'RW', parent: 'Insight' },
    },
    {
      path: `${insight}/${publicView}`,
      lazy: () => import('./screens/InsightsScreen/PublicInsightsScreen.tsx'),
      access: { resource: 'PublicView', mode: 'RW', parent: 'Insight' },
    },
    { path: `${insight}/${templates}`, lazy: () => import('./templates/TemplatesScreen.tsx'), access },
    {
      path: `${insight}/${templates}/:groupName/:name/:params?`,
      lazy: () => import('./templates/TemplateScreen.tsx'),
      access: { resource: 'Visualisations', mode: 'RW', parent: 'Insight' },
    },
    { path: `${insight}/:groupName`, lazy: list, access, framed: true },
    {
      path: `${insight}/:groupName/:insightName/${versions}/:version?`,
      lazy: () => import('./versions/VersionsScreen.tsx'),
      access,
    },
    {
      path: `${routeNames.public}/${insight}/:groupName/:insightName/*`,
      lazy: () => import('./public/PublicInsightScreen.tsx'),
      layout: 'public',
      framed: true,
    },
    {
      path: `${insight}/:groupName/:insightName/*`,
      lazy: () => import('./screens/InsightScreen/InsightScreen.tsx'),
      access,
      framed: true,
    },
  ],
  slotItems,
  tools: [
    {
      id: 'public-views',
      access: { resource: 'Groups', parent: 'Lake' },
      lazy: () => import('./sharing/PublicViewsTool.tsx'),
    },
  ],
  searchProviders: [
    {
      id: 'insights',
      label: 'Insight',
      access,
      async search(text, signal) {
        const { findInsights } = await import('./search-hits.ts')
        return findInsights(text, signal)
      },
      seeAllHref: (text) => links.insightList({ query: text }),
      recents: {
        type: 'INSIGHT',
        async find(recent, signal) {
          const { findRecentInsight } = await import('./search-hits.ts')
          return findRecentInsight(recent, signal)
        },
      },
    },
  ],
}
