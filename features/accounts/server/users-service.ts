import { commonErrors, type Page } from '@headwater/contract'
import { accountErrors, type Role, type User, type UserDetails } from '@headwater/accounts/contract'
import type { Log, Principal } from '@headwater/server-kit'
import type { UserStatus } from './account-tables.ts'
import { entitlementsOf, type AccountsCache } from './accounts-cache.ts'
import type { ApiKeysService } from './api-keys-service.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { PasswordsService } from './passwords-service.ts'
import type { RoleGrant, RolesStore } from './roles-store.ts'
import type { SessionsService } from './sessions-service.ts'
import type { StorageService } from './storage-service.ts'
import { createActiveUser, createUser, ensureAdministrator, type UserCreated } from './create-users.ts'
import { parseUserName } from './user-name.ts'
import type { Account, UsersStore } from './users-store.ts'

/** Administers users and roles. */
export interface UsersService {
  /** Returns the users that the caller can administer: all for an administrator, otherwise those of the caller's company. */
  list(principal: Principal, page: { query: string; size: number; from: number }): Promise<Page<User>>
  /** Returns one of these users; with sessions and API keys if the caller can manage the user. Throws `userNotFound`. */
  get(principal: Principal, userName: string): Promise<UserDetails>
  /** Returns a page of roles by name. */
  listRoles(page: { size: number; from: number }): Promise<Page<Role>>
  /**
   * Creates a user, by default in the caller's company, and sends an activation link. Throws `userExists`, `roleNotFound`,
   * `companyNotFound`, `forbidden`.
   */
  create(
    principal: Principal,
    user: {
      email: string
      roleIds: number[]
      company?: string | undefined
      templateName?: string | undefined
      withWelcomeEmail: boolean
      origin: string
    },
  ): Promise<User>
  /**
   * Ensures that an administrator exists: if no active user holds every resource, the user of this
   * e-mail address is created or gets the role Administrator. Generates a password if none is given.
   */
  ensureAdministrator(given: {
    email: string
    password?: string | undefined
  }): Promise<{ created: boolean; generatedPassword?: string }>
  /** Creates a user in the first company who can sign in immediately; throws `userExists`. */
  createActive(user: { email: string; password: string; role: string }): Promise<{ userId: number }>
  /**
   * Changes the roles of a user; deactivates a user and ends the sessions immediately, or reactivates one (PENDING without a
   * password). Applies all of the changes or none. Throws `userNotFound`, `roleNotFound`, `forbidden` for a user or a role with more entitlements than the
   * caller, and `lastAdministrator`.
   */
  update(
    principal: Principal,
    userName: string,
    change: { active?: boolean | undefined; roleIds?: number[] | undefined },
  ): Promise<User>
  /** Ends the sessions of a user and returns their number. Throws `userNotFound`, `forbidden`. */
  endSessions(principal: Principal, userName: string): Promise<number>
  /** Deletes the API keys of a user and returns their number. Throws `userNotFound`, `forbidden`. */
  deleteApiKeys(principal: Principal, userName: string): Promise<number>
  /** Deletes one API key of a user. Throws `userNotFound`, `forbidden`, `userApiKeyNotFound`. */
  deleteApiKey(principal: Principal, userName: string, id: number): Promise<void>
  /** Changes the status of a user; INACTIVE also ends all sessions. */
  setStatus(userId: number, status: UserStatus): Promise<void>
  /** Replaces the roles of a user. The change applies immediately on this server. */
  setRoles(userId: number, roleIds: readonly number[]): Promise<void>
}

/** Creates the service of users. */
export function createUsersService(deps: {
  store: UsersStore
  roles: RolesStore
  accounts: AccountsCache
  hasher: PasswordHasher
  passwords: PasswordsService
  sessions: SessionsService
  apiKeys: ApiKeysService
  storage: Pick<StorageService, 'ofUser'>
  userCreated: UserCreated
  log: Log
}): UsersService {
  const { store, roles, accounts, passwords, sessions, apiKeys, storage, log } = deps

  async function rolesToGive(principal: Principal, roleIds: readonly number[]): Promise<RoleGrant[]> {
    const given = roleIds.length === 0 ? await defaultRoles() : await roles.find(roleIds)
    const missing = roleIds.find((id) => given.every((role) => role.id !== id))
    if (missing !== undefined) throw accountErrors.roleNotFound({ id: missing })
    const tooMuch = principal.isAdministrator ? undefined : given.find((role) => !holdsAll(principal, role))
    if (tooMuch !== undefined)
      throw commonErrors.forbidden({
        what: `give the role ${tooMuch.name}, which has more permissions than you`,
      })
    return given
  }

  async function companyOf(principal: Principal, company: string | undefined): Promise<number> {
    if (company === undefined) return principal.companyId
    const companyId = await store.findCompanyId(company)
    if (companyId === principal.companyId) return companyId
    if (!principal.isAdministrator) throw commonErrors.forbidden({ what: 'create users of another company' })
    if (companyId === undefined) throw accountErrors.companyNotFound({ company })
    return companyId
  }

  /** Returns a user of the caller's company; an administrator can read every user. */
  async function visible(principal: Principal, text: string): Promise<Account> {
    const userName = parseUserName(text)
    const userId = userName === undefined ? undefined : await store.findUserId(userName)
    const account = userId === undefined ? undefined : await store.findAccount(userId)
    const isOther = !principal.isAdministrator && account?.companyId !== principal.companyId
    if (account === undefined || isOther) throw accountErrors.userNotFound({ userName: text })
    return account
  }

  /** Returns a user that the caller can manage. */
  async function managed(principal: Principal, text: string): Promise<Account> {
    const account = await visible(principal, text)
    requireManaged(principal, account)
    return account
  }

  async function defaultRoles(): Promise<RoleGrant[]> {
    const analyst = await roles.findByName('Analyst')
    return analyst === undefined ? [] : [analyst]
  }

  return {
    async list(principal, { query, size, from }) {
      const companyId = principal.isAdministrator ? undefined : principal.companyId
      return { from, ...(await store.listUsers({ query, companyId, size, from })) }
    },

    async get(principal, text) {
      const account = await visible(principal, text)
      const { userId } = account
      const isManaged = principal.can('MyAccount/Companies', 'RW') && isManagedBy(principal, account)
      const [user, { storedBytes }, sessionsOfUser, keys] = await Promise.all([
        store.findUser(userId),
        storage.ofUser(userId),
        isManaged ? sessions.list(userId) : undefined,
        isManaged ? apiKeys.list(userId) : undefined,
      ])
      if (user === undefined) throw accountErrors.userNotFound({ userName: text })
      return { ...user, sessions: sessionsOfUser, apiKeys: keys, storedBytes }
    },

    async listRoles({ size, from }) {
      return { from, ...(await roles.list({ size, from })) }
    },

    async create(principal, { email, roleIds, company, templateName, withWelcomeEmail, origin }) {
      const userName = email.toLowerCase()
      const given = await rolesToGive(principal, roleIds)
      const created = await createUser(deps, {
        userName,
        companyId: await companyOf(principal, company),
        roleIds: given.map((role) => role.id),
        status: 'PENDING',
        templateName,
      })
      if (created === undefined) throw accountErrors.userExists({ email: userName })
      const account = await store.findAccount(created.userId)
      const user = await store.findUser(created.userId)
      if (account === undefined || user === undefined) throw new Error(`The user ${userName} vanished.`)
      passwords.sendActivation(account, { origin, templateName, withWelcomeEmail })
      return user
    },

    ensureAdministrator: (given) => ensureAdministrator(deps, given),
    createActive: (user) => createActiveUser(deps, user),

    async update(principal, userName, { active, roleIds }) {
      const { userId } = await managed(principal, userName)
      const given = roleIds && (await rolesToGive(principal, roleIds))
      const isChanged = await store.change(userId, { active, roles: given }, (account) =>
        requireManaged(principal, account),
      )
      if (!isChanged) throw accountErrors.lastAdministrator()
      accounts.drop(userId)
      if (active === false) await sessions.endOfUser(userId, { isDeactivated: true })
      const by = principal.userId
      if (roleIds !== undefined) log.info({ userId, by, roleIds }, 'the roles of a user were changed')
      if (active !== undefined)
        log.info({ userId, by }, `a user was ${active ? 'reactivated' : 'deactivated'}`)
      const user = await store.findUser(userId)
      if (user === undefined) throw accountErrors.userNotFound({ userName })
      return user
    },

    async endSessions(principal, userName) {
      const { userId } = await managed(principal, userName)
      log.info({ userId, by: principal.userId }, 'the sessions of a user were ended')
      return sessions.endOfUser(userId)
    },

    async deleteApiKeys(principal, userName) {
      const { userId } = await managed(principal, userName)
      log.info({ userId, by: principal.userId }, 'the API keys of a user were deleted')
      return apiKeys.removeOfUser(userId)
    },

    async deleteApiKey(principal, userName, id) {
      const { userId } = await managed(principal, userName)
      if (!(await apiKeys.removeOne(userId, id))) throw accountErrors.userApiKeyNotFound()
      log.info({ userId, by: principal.userId }, 'an API key of a user was deleted')
    },

    async setStatus(userId, status) {
      await store.setStatus(userId, status)
      accounts.drop(userId)
      if (status === 'INACTIVE') await sessions.endOfUser(userId, { isDeactivated: true })
    },

    async setRoles(userId, roleIds) {
      await store.setRoles(userId, roleIds)
      accounts.drop(userId)
    },
  }
}

/** Requires that the caller can manage a user: one without entitlements that the caller lacks. */
function requireManaged(principal: Principal, account: Account): void {
  if (!isManagedBy(principal, account))
    throw commonErrors.forbidden({ what: `manage ${account.userName}, who has more permissions than you` })
}

function isManagedBy(principal: Principal, account: Account): boolean {
  return principal.isAdministrator || holdsAll(principal, account)
}

function holdsAll(principal: Principal, held: Pick<RoleGrant, 'holdsEverything' | 'entitlements'>): boolean {
  return entitlementsOf(held).every(({ resource, parent, mode }) =>
    principal.can(parent === undefined ? resource : `${parent}/${resource}`, mode),
  )
}
