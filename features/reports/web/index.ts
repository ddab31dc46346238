import { type FeatureRoutes, lazyPart } from '@headwater/web-kit'
import { insightActions, insightDependents, insightFrames, insightViews } from '@headwater/insights/web'

/** Slot items for the page of an insight: exports as files, on paper and by e-mail. */
export const reportsWeb: FeatureRoutes = {
  routes: [],
  slotItems: [
    insightFrames.itemOf(lazyPart(() => import('./exports/ExportFrame.tsx'))),
    insightActions.itemOf(lazyPart(() => import('./exports/ExportMenu.tsx'))),
    insightViews.itemOf({
      name: 'EXPORT',
      Screen: lazyPart(() => import('./email-export/EmailExportScreen.tsx')),
    }),
    insightDependents.itemOf(lazyPart(() => import('./email-export/ExporterNote.tsx'))),
  ],
}
