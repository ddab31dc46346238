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

/** A user with company, credentials and entitlements. */
export interface Account {
  /** Id of the user. */
  userId: number
  /** Stable id of the user in tokens, a UUID. */
  sub: string
  /** E-mail address, in lower case. */
  userName: string
  /** Id of the company. */
  companyId: number
  /** Name of the company. */
  company: string
  /** Tags of the company. */
  companyTags: string[]
  /** Whether the user can sign in. */
  status: UserStatus
  /** Sign-in method of the user. */
  authType: AuthType
  /** Hash of the password; undefined until the first password is set. */
  passwordHash: string | undefined
  /** Whether a role of the user holds every resource. */
  holdsEverything: boolean
  /** Entitlements that the roles list; a resource can occur with several modes. */
  entitlements: Entitlement[]
}

/** Stores users and companies. */
export interface UsersStore {
  /** Returns a user by id. */
  findAccount(userId: number): Promise<Account | undefined>
  /** Returns the id of a user by name in lower case. */
  findUserId(userName: string): Promise<number | undefined>
  /** Creates a user with roles; returns undefined if the name is taken. `also` runs in the transaction. */
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
  /** Returns a user as administrators see one. */
  findUser(userId: number): Promise<User | undefined>
  /** Returns a page of users by name; `companyId` limits it to a company, undefined means all. */
  listUsers(filter: {
    query: string
    companyId: number | undefined
    size: number
    from: number
  }): Promise<{ totalSize: number; items: User[] }>
  /** Returns the names of active users that contain a string, ascending; at most `size`. */
  searchActive(text: string, size: number): Promise<string[]>
  /** Returns the id of a company by name, regardless of case. */
  findCompanyId(name: string): Promise<number | undefined>
  /** Returns the id of the company that exists from the start. */
  firstCompanyId(): Promise<number>
  /** Returns the id of the first active user who holds every resource. */
  firstAdministratorId(): Promise<number | undefined>
  /** Adds a role to a user. */
  addRole(userId: number, roleId: number): Promise<void>
  /** Replaces the roles of a user. */
  setRoles(userId: number, roleIds: readonly number[]): Promise<void>
  /** Changes the status of a user. */
  setStatus(userId: number, status: UserStatus): Promise<void>
  /**
   * Replaces the roles of a user, changes whether the user is active, or both, in one transaction. A reactivated user without a
   * password is pending. Returns false without a change if then no active user would hold every resource. Concurrent calls are
   * serialised.
   * @param requireAllowed receives the user as of this transaction; throws to reject the change
   */
  change(
    userId: number,
    change: {
      active?: boolean | undefined
      roles?: readonly { id: number; holdsEverything: boolean }[] | undefined
    },
    requireAllowed: (account: Account) => void,
  ): Promise<boolean>
  /** Replaces the password hash of a user. */
  setPassword(userId: number, passwordHash: string): Promise<void>
  /** Activates a pending user; returns false if the user is not pending. */
  activate(userId: number, change: { passwordHash: string; templateName?: string }): Promise<boolean>
  /** Records a sign-in of a user. */
  setLastLogged(userId: number): Promise<void>
}

/** Creates the store of users. */
export function createUsersStore({ database, clock }: { database: Database; clock: Clock }): UsersStore {
  const db = database.tables<AccountTables>()
  return {
    findAccount: (userId) => findAccount(db, userId),
    listUsers: (filter) => listUsers(db, filter),

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

    async searchActive(text, size) {
      const rows = await db
        .selectFrom('users')
        .select('user_name')
        .where('status', '=', 'ACTIVE')
        .where('user_name', 'like', containsPattern(text.toLowerCase()))
        .orderBy('user_name')
        .limit(size)
        .execute()
      return rows.map((row) => row.user_name)
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

    async change(userId, { active, roles }, requireAllowed) {
      return db.transaction().execute(async (transaction) => {
        await lockUserAndAdministrators(transaction, userId)
        const account = await findAccount(transaction, userId)
        if (account === undefined) throw new Error(`The user ${userId} does not exist.`)
        requireAllowed(account)
        const isRemoved =
          active === false || (roles !== undefined && !roles.some(({ holdsEverything }) => holdsEverything))
        if (isRemoved && (await isLastAdministrator(transaction, userId))) return false
        if (roles !== undefined) {
          await transaction.deleteFrom('user_roles').where('user_id', '=', userId).execute()
          await insertRoles(
            transaction,
            userId,
            roles.map(({ id }) => id),
          )
        }
        const status = active === undefined ? account.status : statusOf(account, active)
        if (status !== account.status)
          await transaction.updateTable('users').set({ status }).where('id', '=', userId).execute()
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

async function findAccount(db: Kysely<AccountTables>, userId: number): Promise<Account | undefined> {
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
}

async function listUsers(
  db: Kysely<AccountTables>,
  { query, companyId, size, from }: Parameters<UsersStore['listUsers']>[0],
): ReturnType<UsersStore['listUsers']> {
  let matching = db.selectFrom('users')
  if (query !== '') matching = matching.where('user_name', 'like', containsPattern(query.toLowerCase()))
  if (companyId !== undefined) matching = matching.where('company_id', '=', companyId)
  const [{ total }, rows] = await Promise.all([
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    selectUsers(db)
      .where('users.id', 'in', matching.select('users.id'))
      .orderBy('users.user_name')
      .limit(size)
      .offset(from)
      .execute(),
  ])
  return { totalSize: total, items: rows.map(toUser) }
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

/** Locks a user and all administrators, in the order of their ids, so that two changes cannot block each other. */
async function lockUserAndAdministrators(transaction: Kysely<AccountTables>, userId: number): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('users.id')
    .where((eb) =>
      eb.or([
        eb('users.id', '=', userId),
        eb('users.id', 'in', selectAdministrators(transaction).clearOrderBy()),
      ]),
    )
    .orderBy('users.id')
    .forUpdate()
    .execute()
}

/** Returns whether a user is the only administrator. Reads again, because roles can have changed during the wait for the locks. */
async function isLastAdministrator(transaction: Kysely<AccountTables>, userId: number): Promise<boolean> {
  const administrators = await selectAdministrators(transaction).execute()
  return administrators.length === 1 && administrators[0]?.id === userId
}

function statusOf({ status, passwordHash }: Account, active: boolean): UserStatus {
  if (!active) return 'INACTIVE'
  if (status !== 'INACTIVE') return status
  return passwordHash === undefined ? 'PENDING' : 'ACTIVE'
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
