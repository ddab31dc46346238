import { fileURLToPath } from 'node:url'
import type { Accounts } from '@headwater/accounts/server'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Audiences, Insights } from '@headwater/insights/server'
import type { Preps } from '@headwater/preps/server'
import type { Clock, Database, Log, Router } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import type { Tiles } from '@headwater/tiles/server'
import { createAudienceStore } from './audience-store.ts'
import { registerPublicRoutes } from './public-routes.ts'
import { createPublicStore } from './public-store.ts'
import { createPublicTokens } from './public-tokens.ts'
import type { PublicDependencies } from './public-view.ts'
import { countPublicViews } from './publications.ts'
import { createPublishingRights, type PublishingRights } from './publishing-rights.ts'
import { registerSharingRoutes } from './sharing-routes.ts'
import { createSharingService } from './sharing-service.ts'
import { createSharingStore } from './sharing-store.ts'
import { createVisitorLimit } from './visitor-limit.ts'
import { createVisitorQueue } from './visitor-queue.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What publishing uses of other features. */
export interface PublishingDependencies {
  database: Database
  clock: Clock
  log: Log
  files: Files
  groups: Groups
  lists: Symbols['lists']
  preps: Pick<Preps, 'get'>
  accounts: Pick<Accounts, 'findUserByName' | 'findPrincipal' | 'product'>
  tiles: Pick<Tiles, 'data'>
  insights: Pick<Insights, 'access' | 'insightFiles' | 'items' | 'readModel' | 'logos' | 'definitions'>
  /** Secret of the installation; public links are signed with a key derived from it. */
  signingSecret: string
}

/** What other features use of publishing; insights come earlier and receive functions of it. */
export interface Publishing extends PublishingRights {
  registerRoutes(router: Router): void
  /** Who can see insights besides the members of their groups. */
  audiences: Audiences
  /** Counts the public insights that show a group. */
  countPublicViews(groupName: string): Promise<number>
}

/** Creates the feature: shares, public views and their visitors. */
export function createPublishing(dependencies: PublishingDependencies): Publishing {
  const { database, clock, log, files, groups, lists, preps, accounts, tiles, signingSecret } = dependencies
  const { access: insightAccess, insightFiles, items, readModel, logos, definitions } = dependencies.insights
  const sharingStore = createSharingStore(database)
  const sharingEnabled = accounts.product.sharing_enabled === 'true'
  const publishing = createPublishingRights({ readModel, groups, preps })
  const sharing = createSharingService({
    store: sharingStore,
    insightAccess,
    insightFiles,
    insights: items,
    groups,
    findUser: (email) => accounts.findUserByName(email),
    sharingEnabled,
    async noteShared(principal, fid, shared) {
      await files.update(principal, fid, [{ name: 'insightShared', value: String(shared) }])
    },
    clock,
  })
  const publicViews: PublicDependencies = {
    store: createPublicStore(database),
    sharingStore,
    insights: items,
    tokens: createPublicTokens(signingSecret),
    readModel,
    insightAccess,
    insightFiles,
    logos,
    files,
    groups,
    publishing,
    tileData: tiles.data,
    definitions,
    lists,
    preps,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    findUser: (userName) => accounts.findUserByName(userName),
    queue: createVisitorQueue(),
    sharingEnabled,
    clock,
  }
  return {
    registerRoutes(router) {
      registerSharingRoutes(router, sharing)
      registerPublicRoutes(router, publicViews, {
        // A page with 500 tiles, each of which counts, that refreshes every 10 s stays below; a form is filled in once.
        requests: createVisitorLimit({ burst: 1000, perSecond: 50, clock }),
        forms: createVisitorLimit({ burst: 10, perSecond: 1 / 60, clock }),
        log,
        clock,
      })
    },
    audiences: createAudienceStore(database),
    groupsNotAllowed: (principal, content) => publishing.groupsNotAllowed(principal, content),
    countPublicViews: (groupName) => countPublicViews(publicViews, groupName),
  }
}
