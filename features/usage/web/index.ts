import { type FeatureRoutes, lazyPart, objectDependents } from '@headwater/web-kit'

/** The tool that lists what uses an object, and the note in dialogs that delete objects. */
export const usageWeb: FeatureRoutes = {
  routes: [],
  tools: [{ id: 'usage', lazy: () => import('./UsageTool.tsx') }],
  slotItems: [objectDependents.itemOf(lazyPart(() => import('./UsageNote.tsx')))],
}
