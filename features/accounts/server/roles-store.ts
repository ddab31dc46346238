import type { Kysely } from 'kysely'
import type { AccessMode } from '@headwater/contract'
import type { Entitlement, Role } from '@headwater/accounts/contract'
import type { Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'

/** A role with what it holds. */
export interface RoleGrant {
  id: number
  name: string
  holdsEverything: boolean
  entitlements: Entitlement[]
}

/** Roles in the database. */
export interface RolesStore {
  /** Roles by name ascending. */
  list(page: { size: number; from: number }): Promise<{ totalSize: number; items: Role[] }>
  /** The roles of these ids that exist. */
  find(roleIds: readonly number[]): Promise<RoleGrant[]>
  findByName(name: string): Promise<RoleGrant | undefined>
}

/** Creates the store. */
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

/** The entitlement of a row that joins roles with what they list; none for a role that lists nothing. */
export function toEntitlement(row: {
  parent: string | null
  resource: string | null
  mode: AccessMode | null
}): Entitlement[] {
  const { parent, resource, mode } = row
  if (resource === null || mode === null) return []
  return [{ resource, mode, ...(parent === null || parent === '' ? {} : { parent }) }]
}
