import { accountsWeb } from '@headwater/accounts/web'
import { demoWeb } from '@headwater/demo/web'
import { editorsWeb } from '@headwater/editors/web'
import { filesWeb } from '@headwater/files/web'
import { groupsWeb } from '@headwater/groups/web'
import { insightsWeb } from '@headwater/insights/web'
import { logsWeb } from '@headwater/logs/web'
import { monitorWeb } from '@headwater/monitor/web'
import { pipelinesWeb } from '@headwater/pipelines/web'
import { prepsWeb } from '@headwater/preps/web'
import { publishingWeb } from '@headwater/publishing/web'
import { reportsWeb } from '@headwater/reports/web'
import { secretsWeb } from '@headwater/secrets/web'
import { statusesWeb } from '@headwater/statuses/web'
import { symbolsWeb } from '@headwater/symbols/web'
import { tasksWeb } from '@headwater/tasks/web'
import { trashWeb } from '@headwater/trash/web'
import { usageWeb } from '@headwater/usage/web'
import { auditWeb } from '@headwater/audit/web'
import { workersWeb } from '@headwater/workers/web'
import type {
  FeatureNotice,
  FeatureOverlay,
  FeatureRoute,
  FeatureRoutes,
  FeatureTool,
  SearchProvider,
  SlotItem,
} from '@headwater/web-kit'
import { laterPages } from './pages/later-pages.tsx'

/** The features of the product in the order of their blocks in the global search; unfinished pages come last. */
const features: readonly FeatureRoutes[] = [
  accountsWeb,
  auditWeb,
  workersWeb,
  statusesWeb,
  logsWeb,
  groupsWeb,
  insightsWeb,
  reportsWeb,
  publishingWeb,
  filesWeb,
  editorsWeb,
  secretsWeb,
  symbolsWeb,
  prepsWeb,
  pipelinesWeb,
  monitorWeb,
  tasksWeb,
  trashWeb,
  demoWeb,
  usageWeb,
  laterPages,
]

/** Every page of every feature. */
export const allRoutes: readonly FeatureRoute[] = features.flatMap((feature) => feature.routes)

/** Every block of the global search. */
export const searchProviders: readonly SearchProvider[] = features.flatMap(
  (feature) => feature.searchProviders ?? [],
)

/** Every panel that slides in over a page. */
export const overlays: readonly FeatureOverlay[] = features.flatMap((feature) => feature.overlays ?? [])

/** Every line above the pages. */
export const notices: readonly FeatureNotice[] = features.flatMap((feature) => feature.notices ?? [])

/** Every tool that opens over a page. */
export const tools: readonly FeatureTool[] = features.flatMap((feature) => feature.tools ?? [])

/** Slot items that features add to pages of earlier features. */
export const slotItems: readonly SlotItem[] = features.flatMap((feature) => feature.slotItems ?? [])
