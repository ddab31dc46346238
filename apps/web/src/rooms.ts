import { accountsWeb } from '@headwater/accounts/web'
import { demoWeb } from '@headwater/demo/web'
import { editorsWeb } from '@headwater/editors/web'
import { filesWeb } from '@headwater/files/web'
import { groupsWeb } from '@headwater/groups/web'
import { insightsWeb } from '@headwater/insights/web'
import { pipelinesWeb } from '@headwater/pipelines/web'
import { prepsWeb } from '@headwater/preps/web'
import { statusesWeb } from '@headwater/statuses/web'
import { symbolsWeb } from '@headwater/symbols/web'
import { tasksWeb } from '@headwater/tasks/web'
import type {
  FeatureNotice,
  FeatureOverlay,
  FeatureRoute,
  FeatureRoutes,
  FeatureTool,
  SearchProvider,
} from '@headwater/web-kit'
import { laterPages } from './pages/later-pages.tsx'

/** The rooms of the product, in the order of their blocks in the global search; pages of later work come last. */
const rooms: readonly FeatureRoutes[] = [
  accountsWeb,
  statusesWeb,
  groupsWeb,
  insightsWeb,
  filesWeb,
  editorsWeb,
  symbolsWeb,
  prepsWeb,
  pipelinesWeb,
  tasksWeb,
  demoWeb,
  laterPages,
]

/** Every page of every room. */
export const allRoutes: readonly FeatureRoute[] = rooms.flatMap((room) => room.routes)

/** Every block of the global search. */
export const searchProviders: readonly SearchProvider[] = rooms.flatMap((room) => room.searchProviders ?? [])

/** Every panel that slides in over a page. */
export const overlays: readonly FeatureOverlay[] = rooms.flatMap((room) => room.overlays ?? [])

/** Every line above the pages. */
export const notices: readonly FeatureNotice[] = rooms.flatMap((room) => room.notices ?? [])

/** Every tool that opens over a page. */
export const tools: readonly FeatureTool[] = rooms.flatMap((room) => room.tools ?? [])
