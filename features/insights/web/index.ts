import { paramControls } from '@headwater/tasks/web'
import { type FeatureRoutes, lazyPart, links, routeNames } from '@headwater/web-kit'

export { PartFrame } from './components/PartFrame.tsx'
export { RefreshNote } from './components/RefreshNote.tsx'
export { TileGrid } from './components/TileGrid.tsx'
export { TileGridSkeleton } from './components/TileGridSkeleton.tsx'
export { noTileActions } from './components/no-tile-actions.ts'
export { useFrameHeight } from './embedding/use-frame-height.ts'
export { type InsightName } from './insights-client.ts'
export { HeaderBoxes, ParamChips, ParamsPanel } from './lazy-parts.ts'
export { boxesKeepRange, hasRangedBoxes } from './params/ranged-boxes.ts'
export { PanelButtons } from './screens/InsightScreen/PanelButtons.tsx'
export { useInsightPanel } from './screens/InsightScreen/use-insight-panel.ts'
export { useScrollToHash } from './screens/InsightScreen/use-page-address.ts'
export {
  insightActions,
  insightDependents,
  insightFrames,
  insightSavedHandlers,
  insightViews,
} from './slots.ts'

const access = { resource: 'Insight' } as const
const list = () => import('./screens/InsightsScreen/InsightsScreen.tsx')
const { insight, creator, visualisations, workflows, templates, versions } = routeNames

/** The pages of insights: lists, view, builder and versions. */
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
      path: `${insight}/${templates}`,
      lazy: () => import('./screens/TemplateScreen/TemplatesScreen.tsx'),
      access,
    },
    {
      path: `${insight}/${templates}/:groupName/:name/:params?`,
      lazy: () => import('./screens/TemplateScreen/TemplateScreen.tsx'),
      access: { resource: 'Visualisations', mode: 'RW', parent: 'Insight' },
    },
    { path: `${insight}/:groupName`, lazy: list, access, framed: true },
    {
      path: `${insight}/:groupName/:insightName/${versions}/:version?`,
      lazy: () => import('./versions/VersionsScreen.tsx'),
      access,
    },
    {
      path: `${insight}/:groupName/:insightName/*`,
      lazy: () => import('./screens/InsightScreen/InsightScreen.tsx'),
      preload: async (address, cache) =>
        (await import('./screens/InsightScreen/InsightScreen.tsx')).preloadInsight(address, cache),
      access,
      framed: true,
      // Links to an insight open it on phones too.
      mobile: true,
    },
  ],
  slotItems: [
    paramControls.itemOf({
      valueType: 'INSIGHT',
      Control: lazyPart(() => import('./task-params/InsightControl.tsx')),
      Name: lazyPart(() => import('./task-params/InsightName.tsx')),
    }),
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
