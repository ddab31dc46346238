import { fileURLToPath } from 'node:url'
import type { Database, Executor, Principal, Router } from '@headwater/server-kit'
import { registerGroupsRoutes } from './groups-routes.ts'
import {
  createGroupsService,
  type GroupAccess,
  type GroupsService,
  type GroupsServiceDependencies,
} from './groups-service.ts'
import { createGrants, type Grants } from './grants.ts'
import { createGroupsStore } from './groups-store.ts'

export { commonScope, narrowScope, type AccessScope, type DataRange } from './access-scope.ts'
export type { Grant, GrantSource } from './grants.ts'
export type { GrantAccess } from './group-tables.ts'
export { modeOf, type AccessibleGroup, type GroupAccess, type GroupContents } from './groups-service.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What other rooms may ask of groups. */
export interface Groups extends Pick<GroupsService, 'create'> {
  access: GroupAccess
  grants: Grants
  /** Creates the home group of a new user, in the transaction that creates the user. */
  createHome(user: { userId: number; userName: string }, executor: Executor): Promise<void>
  /** Deletes a group with everything in it, by the same rules as the route. */
  remove(principal: Principal, name: string): Promise<void>
  registerRoutes(router: Router): void
}

/** Makes the groups room. */
export function createGroups(
  dependencies: Omit<GroupsServiceDependencies, 'store'> & { database: Database },
): Groups {
  const { database, ...rest } = dependencies
  const service = createGroupsService({ ...rest, store: createGroupsStore(database) })
  return {
    access: service.access,
    grants: createGrants(database),
    create: (principal, group) => service.create(principal, group),
    createHome: (user, executor) => service.createHome(user, executor),
    remove: (principal, name) => service.remove(principal, name),
    registerRoutes: (router) => registerGroupsRoutes(router, service),
  }
}
