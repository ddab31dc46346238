import { sql, type Kysely } from 'kysely'
import type { Entitlement, User } from '@headwater/accounts/contract'
import {
  containsPattern,
  executorOf,
  formatUtcSeconds,
  type Clock,
  type Database,
  type Executor,
} from '@headwater/server-kit'
import type { AccountTables, AuthType, UserStatus } from './account-tables.ts'
import { toEntitlement } from './roles-store.ts'

/** A user with everything that decides what they may do. */
export interface Account {
  userId: number
  sub: string
  userName: string
  companyId: number
  company: string
  companyTags: string[]
  status: UserStatus
  authType: AuthType
  passwordHash: string | undefined
  /** Whether a role of the user holds every resource. */
  holdsEverything: boolean
  /** What the roles list one by one; several modes of one resource are possible. */
  entitlements: Entitlement[]
}

/** Users and companies in the database. */
export interface UsersStore {
  findAccount(userId: number): Promise<Account | undefined>
  findUserId(userName: string): Promise<number | undefined>
  /** Creates a user with roles; undefined when the name is taken. `also` takes part in the transaction. */
  create(
    user: {
      userName: string
      companyId: number
      roleIds: readonly number[]
      status: UserStatus
      passwordHash?: string
      templateName?: string
    },
    also: (user: { userId: number; userName: string }, executor: Executor) => Promise<void>,
  ): Promise<{ userId: number } | undefined>
  findUser(userId: number): Promise<User | undefined>
  /** @param companyId only users of this company; undefined for all */
  listUsers(filter: {
    query: string
    companyId: number | undefined
    size: number
    from: number
  }): Promise<{ totalSize: number; items: User[] }>
  /** The company of this name, in any letter case. */
  findCompanyId(name: string): Promise<number | undefined>
  /** The company that exists from the start. */
  firstCompanyId(): Promise<number>
  /** Id of the first active user who holds everything. */
  firstAdministratorId(): Promise<number | undefined>
  addRole(userId: number, roleId: number): Promise<void>
  setRoles(userId: number, roleIds: readonly number[]): Promise<void>
  setStatus(userId: number, status: UserStatus): Promise<void>
  /** Makes a user inactive; false when no other active user holds everything. Concurrent calls happen one after the other. */
  deactivate(userId: number): Promise<boolean>
  setPassword(userId: number, passwordHash: string): Promise<void>
  /** Makes a pending user active; false when the user is not pending. */
  activate(userId: number, change: { passwordHash: string; templateName?: string }): Promise<boolean>
  setLastLogged(userId: number): Promise<void>
}

/** Creates the store. */
export function createUsersStore({ database, clock }: { database: Database; clock: Clock }): UsersStore {
  const db = database.tables<AccountTables>()
  return {
    async findAccount(userId) {
      const row = await db
        .selectFrom('users')
        .innerJoin('companies', 'companies.id', 'users.company_id')
        .selectAll('users')
        .select(['companies.name as company', 'companies.tags as company_tags'])
        .where('users.id', '=', userId)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const held = await db
        .selectFrom('user_roles')
        .innerJoin('roles', 'roles.id', 'user_roles.role_id')
        .leftJoin('role_entitlements', 'role_entitlements.role_id', 'roles.id')
        .select(['roles.holds_everything', 'parent', 'resource', 'mode'])
        .where('user_roles.user_id', '=', userId)
        .execute()
      return {
        userId: row.id,
        sub: row.sub,
        userName: row.user_name,
        companyId: row.company_id,
        company: row.company,
        companyTags: row.company_tags,
        status: row.status,
        authType: row.auth_type,
        passwordHash: row.password_hash ?? undefined,
        holdsEverything: held.some((role) => role.holds_everything),
        entitlements: held.flatMap(toEntitlement),
      }
    },

    async findUserId(userName) {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('user_name', '=', userName)
        .executeTakeFirst()
      return row?.id
    },

    async create({ userName, companyId, roleIds, status, passwordHash, templateName }, also) {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('users')
          .values({
            user_name: userName,
            company_id: companyId,
            status,
            password_hash: passwordHash ?? null,
            template_name: templateName ?? null,
            created_at: clock.now(),
          })
          .onConflict((conflict) => conflict.column('user_name').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (row === undefined) return undefined
        await insertRoles(transaction, row.id, roleIds)
        await also({ userId: row.id, userName }, executorOf(transaction))
        return { userId: row.id }
      })
    },

    async findUser(userId) {
      const row = await selectUsers(db).where('users.id', '=', userId).executeTakeFirst()
      return row === undefined ? undefined : toUser(row)
    },

    async listUsers({ query, companyId, size, from }) {
      let found = db.selectFrom('users')
      if (query !== '') found = found.where('user_name', 'like', containsPattern(query.toLowerCase()))
      if (companyId !== undefined) found = found.where('company_id', '=', companyId)
      const [{ total }, rows] = await Promise.all([
        found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        selectUsers(db)
          .where('users.id', 'in', found.select('users.id'))
          .orderBy('users.user_name')
          .limit(size)
          .offset(from)
          .execute(),
      ])
      return { totalSize: total, items: rows.map(toUser) }
    },

    async findCompanyId(name) {
      const row = await db
        .selectFrom('companies')
        .select('id')
        .where(sql<string>`lower(name)`, '=', name.toLowerCase())
        .executeTakeFirst()
      return row?.id
    },

    async firstCompanyId() {
      const { id } = await db
        .selectFrom('companies')
        .select('id')
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow()
      return id
    },

    async firstAdministratorId() {
      const row = await selectAdministrators(db).limit(1).executeTakeFirst()
      return row?.id
    },

    addRole: (userId, roleId) => insertRoles(db, userId, [roleId]),

    async setRoles(userId, roleIds) {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('user_roles').where('user_id', '=', userId).execute()
        await insertRoles(transaction, userId, roleIds)
      })
    },

    async setStatus(userId, status) {
      await db.updateTable('users').set({ status }).where('id', '=', userId).execute()
    },

    async deactivate(userId) {
      return db.transaction().execute(async (transaction) => {
        const administrators = await selectAdministrators(transaction).forUpdate('users').execute()
        if (administrators.length === 1 && administrators[0]?.id === userId) return false
        await transaction.updateTable('users').set({ status: 'INACTIVE' }).where('id', '=', userId).execute()
        return true
      })
    },

    async setPassword(userId, passwordHash) {
      await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
    },

    async activate(userId, { passwordHash, templateName }) {
      const result = await db
        .updateTable('users')
        .set({
          status: 'ACTIVE',
          password_hash: passwordHash,
          ...(templateName === undefined ? {} : { template_name: templateName }),
        })
        .where('id', '=', userId)
        .where('status', '=', 'PENDING')
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    },

    async setLastLogged(userId) {
      await db.updateTable('users').set({ last_logged_at: clock.now() }).where('id', '=', userId).execute()
    },
  }
}

async function insertRoles(
  db: Kysely<AccountTables>,
  userId: number,
  roleIds: readonly number[],
): Promise<void> {
  if (roleIds.length === 0) return
  const rows = [...new Set(roleIds)].map((roleId) => ({ user_id: userId, role_id: roleId }))
  await db
    .insertInto('user_roles')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Active users who hold everything, by id. */
function selectAdministrators(db: Kysely<AccountTables>) {
  return db
    .selectFrom('users')
    .select('users.id')
    .where('users.status', '=', 'ACTIVE')
    .where('users.id', 'in', (eb) =>
      eb
        .selectFrom('user_roles')
        .innerJoin('roles', 'roles.id', 'user_roles.role_id')
        .select('user_roles.user_id')
        .where('roles.holds_everything', '=', true),
    )
    .orderBy('users.id')
}

function selectUsers(db: Kysely<AccountTables>) {
  return db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .leftJoin('user_settings', 'user_settings.user_id', 'users.id')
    .select([
      'users.user_name',
      'users.status',
      'users.auth_type',
      'users.last_logged_at',
      'users.sub',
      'companies.name as company',
      sql<boolean>`users.password_hash is not null`.as('activated'),
      sql<string | null>`user_settings.settings ->> 'warehouse'`.as('warehouse'),
      sql<
        number[]
      >`array(select role_id from user_roles where user_roles.user_id = users.id order by role_id)::int[]`.as(
        'role_ids',
      ),
    ])
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>

function toUser(row: UserRow): User {
  return {
    userName: row.user_name,
    company: row.company,
    roleIds: row.role_ids,
    status: row.status,
    authType: row.auth_type,
    activated: row.activated,
    ...(row.last_logged_at === null ? {} : { lastLogged: formatUtcSeconds(row.last_logged_at) }),
    warehouse: row.warehouse === 'ON' ? 'ON' : 'OFF',
    sub: row.sub,
  }
}
