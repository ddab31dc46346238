import type { Kysely } from 'kysely'
import type { AccessMode } from '@headwater/contract'
import type { Entitlement, Role } from '@headwater/accounts/contract'
import type { Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'

/** A role with its entitlements. */
export interface RoleGrant {
  /** Id of the role. */
  id: number
  /** Unique name. */
  name: string
  /** Whether the role holds every resource at its highest mode. */
  holdsEverything: boolean
  /** The entitlements that the role lists; empty if it holds everything. */
  entitlements: Entitlement[]
}

/** Roles in the database. */
export interface RolesStore {
  /** Returns a page of roles by name ascending. */
  list(page: { size: number; from: number }): Promise<{ totalSize: number; items: Role[] }>
  /** Returns the existing roles of these ids. */
  find(roleIds: readonly number[]): Promise<RoleGrant[]>
  /** Returns the role with this exact name. */
  findByName(name: string): Promise<RoleGrant | undefined>
}

/** Creates the store of roles. */
export function createRolesStore({ database }: { database: Database }): RolesStore {
  const db = database.tables<AccountTables>()
  return {
    async list({ size, from }) {
      const [{ total }, items] = await Promise.all([
        db
          .selectFrom('roles')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow(),
        db
          .selectFrom('roles')
          .select(['id', 'name', 'description'])
          .orderBy('name')
          .limit(size)
          .offset(from)
          .execute(),
      ])
      return { totalSize: total, items }
    },

    async find(roleIds) {
      if (roleIds.length === 0) return []
      return collect(
        await selectRoles(db)
          .where('roles.id', 'in', [...roleIds])
          .execute(),
      )
    },

    async findByName(name) {
      const [role] = collect(await selectRoles(db).where('roles.name', '=', name).execute())
      return role
    },
  }
}

function selectRoles(db: Kysely<AccountTables>) {
  return db
    .selectFrom('roles')
    .leftJoin('role_entitlements', 'role_entitlements.role_id', 'roles.id')
    .select(['roles.id', 'roles.name', 'roles.holds_everything', 'parent', 'resource', 'mode'])
    .orderBy('roles.id')
}

function collect(rows: Awaited<ReturnType<ReturnType<typeof selectRoles>['execute']>>): RoleGrant[] {
  const roles = new Map<number, RoleGrant>()
  for (const row of rows) {
    const { id, name, holds_everything: holdsEverything } = row
    const role = roles.get(id) ?? { id, name, holdsEverything, entitlements: [] }
    role.entitlements.push(...toEntitlement(row))
    roles.set(id, role)
  }
  return [...roles.values()]
}

/** Returns the entitlement of a row that joins roles with their entitlements; empty for a role without any. */
export function toEntitlement(row: {
  parent: string | null
  resource: string | null
  mode: AccessMode | null
}): Entitlement[] {
  const { parent, resource, mode } = row
  if (resource === null || mode === null) return []
  return [{ resource, mode, ...(parent === null || parent === '' ? {} : { parent }) }]
}
