import { fileURLToPath } from 'node:url'
import type { Accounts } from '@headwater/accounts/server'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Audiences, Insights } from '@headwater/insights/server'
import type { Preps } from '@headwater/preps/server'
import type { Clock, Database, Log, Router } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import type { Tiles } from '@headwater/tile-data/server'
import { createAudienceStore } from './audience-store.ts'
import { registerPublicRoutes } from './public-routes.ts'
import { createPublicStore } from './public-store.ts'
import { createPublicTokens } from './public-tokens.ts'
import type { PublicDependencies } from './public-view.ts'
import { countPublicViews, publicGroupNames } from './publications.ts'
import { createPublishingRights, type PublishingRights } from './publishing-rights.ts'
import { registerSharingRoutes } from './sharing-routes.ts'
import { createSharingService } from './sharing-service.ts'
import { createSharingStore } from './sharing-store.ts'
import { createVisitorLimit } from './visitor-limit.ts'
import { createVisitorQueue } from './visitor-queue.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface PublishingDependencies {
  /** Stores shares and public views. */
  database: Database
  /** Current time. */
  clock: Clock
  /** Log of the server. */
  log: Log
  /** Reads files and updates info fields of insights. */
  files: Files
  /** Checks access to groups and stores grants. */
  groups: Groups
  /** Values of parameters. */
  lists: Symbols['lists']
  /** Saved data preps of tiles. */
  preps: Pick<Preps, 'get'>
  /** Users and the product settings. */
  accounts: Pick<Accounts, 'findUserByName' | 'findPrincipal' | 'product'>
  /** Data of tiles. */
  tiles: Pick<Tiles, 'data'>
  /** Stored insights. */
  insights: Pick<Insights, 'access' | 'insightFiles' | 'items' | 'readModel' | 'logos' | 'definitions'>
  /** Secret of the installation. Public links are signed with a key derived from it. */
  signingSecret: string
}

/** Interface for other features. Insights, an earlier feature, receive its functions in `compose.ts`. */
export interface Publishing extends PublishingRights {
  /** Adds the routes of the feature to a router. */
  registerRoutes(router: Router): void
  /** Returns who can see insights besides the members of their groups. */
  audiences: Audiences
  /** Counts the public insights that contain data of a group. */
  countPublicViews(groupName: string): Promise<number>
  /** Returns the names of the groups whose data public views contain. */
  publicGroupNames(): Promise<ReadonlySet<string>>
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
        // The limits allow a page with 500 tiles, each of which counts, to refresh every 10 s. A visitor submits a form
        // once.
        requests: createVisitorLimit({ burst: 1000, perSecond: 50, clock }),
        forms: createVisitorLimit({ burst: 10, perSecond: 1 / 60, clock }),
        log,
        clock,
      })
    },
    audiences: createAudienceStore(database),
    groupsNotAllowed: (principal, content) => publishing.groupsNotAllowed(principal, content),
    countPublicViews: (groupName) => countPublicViews(publicViews, groupName),
    publicGroupNames: () => publicGroupNames(publicViews),
  }
}
