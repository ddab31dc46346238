import { fileURLToPath } from 'node:url'
import { createEvent, type Database, type Event, type Executor, type Router } from '@headwater/server-kit'
import { registerGroupsRoutes } from './groups-routes.ts'
import type { GroupAccess } from './group-access.ts'
import type { GroupContents } from './group-contents.ts'
import { createGroupsService, type GroupsService, type GroupsServiceDependencies } from './groups-service.ts'
import { createGrants, type Grants } from './grants.ts'
import { createGroupsStore } from './groups-store.ts'
import { createGroupsTrash } from './groups-trash.ts'
import { registerSharesRoutes } from './shares-routes.ts'
import { createSharesService, type SharesServiceDependencies } from './shares-service.ts'
import { createSharesStore } from './shares-store.ts'
import type { TrashBin } from './trash-bin.ts'
import { createTrashedGroupsStore } from './trashed-groups.ts'

export {
  commonScope,
  joinScopes,
  narrowScope,
  scopeWithin,
  type AccessScope,
  type DataRange,
  type LimitedGroup,
} from './access-scope.ts'
export type { Grant, InsightSource } from './grants.ts'
export { hasShareRole, type AccessibleGroup, type GroupAccess } from './group-access.ts'
export { readDeletedPage, type DeletedColumns } from './deleted-pages.ts'
export { parseNewName, purgeInBatches, type DeletedQuery, type TrashBin } from './trash-bin.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The groups feature. */
export interface Groups extends Pick<GroupsService, 'create' | 'createHome' | 'remove'> {
  /** Checks access to groups. */
  access: GroupAccess
  /** Grants on groups. */
  grants: Grants
  /** Contents of groups that belong to later features. */
  contents: GroupContents
  /** Deleted groups. */
  trash: TrashBin
  /** Suspends the grants of insights in a deleted group until the group is restored, in the transaction that deletes it. */
  suspendGrants(groupId: number, insightIds: readonly string[], executor: Executor): Promise<void>
  /** Emitted in the transaction that deletes a group, before the group is moved to the trash or its rows are deleted. */
  deleted: Event<[groupId: number, executor: Executor, ownerId: number]>
  /** Emitted in the transaction that restores a group. */
  restored: Event<[groupId: number, executor: Executor]>
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the groups feature. */
export function createGroups(
  dependencies: Omit<GroupsServiceDependencies, 'store' | 'trashed' | 'deleted' | 'keepsDeleted'> & {
    database: Database
    /** Whether deleted groups can be restored; default true. */
    keepsDeleted?: boolean
    /** Users and e-mails for shares. If absent, the feature has no routes for shares. */
    sharing?: Omit<SharesServiceDependencies, 'store' | 'access' | 'jobs' | 'clock'>
  },
): Groups {
  const { database, sharing, keepsDeleted = true, ...rest } = dependencies
  const deleted = createEvent<[groupId: number, executor: Executor, ownerId: number]>()
  const restored = createEvent<[groupId: number, executor: Executor]>()
  const trashed = createTrashedGroupsStore(database)
  const service = createGroupsService({
    ...rest,
    keepsDeleted,
    deleted,
    trashed,
    store: createGroupsStore(database),
  })
  const { jobs, clock } = rest
  const shares =
    sharing &&
    createSharesService({
      ...sharing,
      store: createSharesStore(database),
      access: service.access,
      jobs,
      clock,
    })
  return {
    access: service.access,
    grants: createGrants(database),
    contents: service.contents,
    trash: createGroupsTrash({
      store: trashed,
      access: service.access,
      contents: service.contents,
      restored,
    }),
    suspendGrants: (groupId, insightIds, executor) => trashed.suspendGrants(groupId, insightIds, executor),
    deleted,
    restored,
    create: (principal, group) => service.create(principal, group),
    createHome: (user, executor) => service.createHome(user, executor),
    remove: (principal, name, options) => service.remove(principal, name, options),
    registerRoutes(router) {
      registerGroupsRoutes(router, service)
      if (shares !== undefined) registerSharesRoutes(router, shares)
    },
  }
}
