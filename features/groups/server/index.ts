import { fileURLToPath } from 'node:url'
import { createEvent, type Database, type Event, type Executor, type Router } from '@headwater/server-kit'
import { registerGroupsRoutes } from './groups-routes.ts'
import type { GroupAccess } from './group-access.ts'
import type { GroupContents } from './group-contents.ts'
import { createGroupsService, type GroupsService, type GroupsServiceDependencies } from './groups-service.ts'
import { createGrants, type Grants } from './grants.ts'
import { createGroupsStore } from './groups-store.ts'

export { commonScope, narrowScope, type AccessScope, type DataRange } from './access-scope.ts'
export type { Grant, GrantSource } from './grants.ts'
export type { GrantAccess } from './group-tables.ts'
export { modeOf, type AccessibleGroup, type GroupAccess } from './group-access.ts'
export type { CountContents, GroupContents, GroupSeries } from './group-contents.ts'

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
  /** Emitted in the transaction that deletes a group, before the rows of the group are deleted. */
  deleted: Event<[groupId: number, executor: Executor]>
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the groups feature. */
export function createGroups(
  dependencies: Omit<GroupsServiceDependencies, 'store' | 'deleted'> & { database: Database },
): Groups {
  const { database, ...rest } = dependencies
  const deleted = createEvent<[groupId: number, executor: Executor]>()
  const service = createGroupsService({ ...rest, deleted, store: createGroupsStore(database) })
  return {
    access: service.access,
    grants: createGrants(database),
    contents: service.contents,
    deleted,
    create: (principal, group) => service.create(principal, group),
    createHome: (user, executor) => service.createHome(user, executor),
    remove: (principal, name) => service.remove(principal, name),
    registerRoutes: (router) => registerGroupsRoutes(router, service),
  }
}
