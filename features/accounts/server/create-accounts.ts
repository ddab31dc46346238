import {
  createEvent,
  type Authenticate,
  type Clock,
  type Config,
  type Database,
  type Event,
  type Log,
  type Mailer,
  type Principal,
  type Router,
} from '@headwater/server-kit'
import type { FavoriteSetting, ProductConfiguration, StorageLimits, TokenPair } from '../contract/index.ts'
import { createAccessTokens } from './access-tokens.ts'
import type { UserStatus } from './account-tables.ts'
import { createAccountsCache, toPrincipal } from './accounts-cache.ts'
import { registerApiKeysRoutes } from './api-keys-routes.ts'
import { createApiKeysService } from './api-keys-service.ts'
import { createApiKeysStore } from './api-keys-store.ts'
import { createAuthenticator } from './authenticator.ts'
import { createBackgroundWork, createHourlyWork } from './background-work.ts'
import { createErrorReports } from './error-reports.ts'
import { createLinkOrigin } from './link-origin.ts'
import { createLinksStore } from './links-store.ts'
import { createPasswordChecker } from './password-checker.ts'
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts'
import { createPasswordsService } from './passwords-service.ts'
import { readProductConfiguration } from './product-configuration.ts'
import { registerProductRoutes } from './product-routes.ts'
import { createRolesStore } from './roles-store.ts'
import { registerSessionRoutes } from './session-routes.ts'
import { createSessionsService } from './sessions-service.ts'
import { createSessionsStore } from './sessions-store.ts'
import type { FavouriteObjects } from './favourite-objects.ts'
import { registerSettingsRoutes } from './settings-routes.ts'
import { createSettingsService } from './settings-service.ts'
import { createSettingsStore } from './settings-store.ts'
import { createStorageLimitsStore } from './storage-limits-store.ts'
import { registerStorageRoutes } from './storage-routes.ts'
import { createStorageService, type StorageUsage } from './storage-service.ts'
import { createThrottleService } from './throttle-service.ts'
import { createThrottleStore } from './throttle-store.ts'
import { parseUserName } from './user-name.ts'
import { registerUsersRoutes } from './users-routes.ts'
import type { UserCreated } from './create-users.ts'
import { createUsersService } from './users-service.ts'
import { createUsersStore } from './users-store.ts'

/** Dependencies of the accounts feature. */
export interface AccountsDeps {
  /** PostgreSQL. */
  database: Database
  /** Clock of expiry times and throttles. */
  clock: Clock
  /** Log of sign-ins and changes of users. */
  log: Log
  /** Sends reset, activation and welcome mails. */
  mailer: Mailer
  /** The public URL is used for links in e-mails, the environment for the product configuration. */
  config: Pick<Config, 'publicUrl' | 'env' | 'trashDays'>
  /** Key of access tokens: at least 32 random characters, the same on all servers of an installation. */
  tokenSigningKey: string
  /** Returns how much users have stored. Called by requests, not at the start. */
  storageUsage: StorageUsage
  /** Default: argon2id, two hashes at once. */
  passwordHasher?: PasswordHasher | undefined
}

/** A user as other features see one. */
export interface KnownUser {
  /** Id of the user. */
  userId: number
  /** The e-mail address, in lower case. */
  userName: string
  /** Id of the company. */
  companyId: number
  /** Whether the user can sign in. */
  status: UserStatus
}

/** The accounts feature. */
export interface Accounts {
  /** Emitted in the transaction that creates a user. */
  userCreated: Event<Parameters<UserCreated['emit']>>
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
  /** Finds the caller of a request: access token, API key or password. */
  authenticate: Authenticate
  /**
   * Ensures that an administrator exists: if no active user holds every resource, the user of this
   * e-mail address is created or gets the role Administrator. Generates a password if none is given.
   */
  ensureAdministrator(given: {
    email: string
    password?: string | undefined
  }): Promise<{ created: boolean; generatedPassword?: string }>
  /** Finds a user by e-mail address, regardless of case. */
  findUserByName(userName: string): Promise<KnownUser | undefined>
  /** Returns the e-mail addresses of active users that contain a string, ascending; at most `size`. */
  searchActiveEmails(text: string, size: number): Promise<string[]>
  /** Returns the principal of an active user, for work without a request. */
  findPrincipal(userId: number): Promise<Principal | undefined>
  /** Returns the first active administrator, for work that belongs to the whole installation. */
  findAdministrator(): Promise<Principal | undefined>
  /** Returns the limits of stored files. */
  storageLimits(): Promise<StorageLimits>
  /** The product configuration of this deployment. */
  product: ProductConfiguration
  /** Signs in an active user without a password, for work of the server that calls the API. */
  startSession(userId: number): Promise<TokenPair | undefined>
  /** Ends the session of a refresh token; ignores an unknown token. */
  endSession(refreshToken: string): Promise<void>
  /** Returns the names in a list of favourites, for example of groups. */
  favoriteNames(userId: number, setting: FavoriteSetting): Promise<string[]>
  /** Returns the ids in a list of favourites, for example of pipelines. */
  favoriteIds(userId: number, setting: FavoriteSetting): Promise<string[]>
  /** Sets how favourite insights are found, so that they follow renames and moves. */
  connectInsights(insights: FavouriteObjects): void
  /** Creates a user who can sign in immediately; `role` is the name of a role. Throws `userExists`. */
  createActiveUser(user: { email: string; password: string; role: string }): Promise<{ userId: number }>
  /** Changes the status of a user; INACTIVE also ends all sessions. */
  setUserStatus(userId: number, status: UserStatus): Promise<void>
  /** Replaces the roles of a user. */
  setUserRoles(userId: number, roleIds: readonly number[]): Promise<void>
  /** Waits for e-mails and other background work. */
  settled(): Promise<void>
}

/** Creates the accounts feature. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { database, clock, log, mailer, config } = deps
  const userCreated: UserCreated = createEvent()
  const product = readProductConfiguration(config)
  const hasher = deps.passwordHasher ?? createPasswordHasher()
  const usersStore = createUsersStore({ database, clock })
  const sessionsStore = createSessionsStore({ database, clock })
  const links = createLinksStore({ database, clock })
  const accounts = createAccountsCache({ store: usersStore, clock })
  const accessTokens = createAccessTokens({ secret: deps.tokenSigningKey, clock })
  const background = createBackgroundWork({ log })
  const linkOrigin = createLinkOrigin({ publicUrl: config.publicUrl, log })
  const throttle = createThrottleService({ store: createThrottleStore({ database, clock }) })
  const cleanUpHourly = createHourlyWork({
    what: 'removing expired sessions, links and counters',
    work: async () => {
      await Promise.all([sessionsStore.cleanUp(), links.cleanUp(), throttle.cleanUp()])
    },
    background,
    clock,
  })
  const sessions = createSessionsService({
    store: sessionsStore,
    users: usersStore,
    accounts,
    accessTokens,
    onSignIn: cleanUpHourly,
    clock,
    log,
  })
  const checker = createPasswordChecker({ store: usersStore, accounts, hasher, throttle, clock })
  const apiKeys = createApiKeysService({ store: createApiKeysStore({ database, clock }), product, clock })
  const authenticator = createAuthenticator({ accounts, accessTokens, sessions, apiKeys, passwords: checker })
  const passwords = createPasswordsService({
    users: usersStore,
    accounts,
    links,
    hasher,
    checker,
    sessions,
    throttle,
    background,
    mailer,
    product,
    log,
  })
  const storage = createStorageService({
    store: createStorageLimitsStore({ database }),
    usage: deps.storageUsage,
    clock,
    log,
  })
  const users = createUsersService({
    store: usersStore,
    roles: createRolesStore({ database }),
    accounts,
    hasher,
    passwords,
    sessions,
    apiKeys,
    storage,
    userCreated,
    log,
  })
  const settings = createSettingsService({ store: createSettingsStore({ database }) })
  const errorReports = createErrorReports({ log, clock })

  async function findPrincipal(userId: number): Promise<Principal | undefined> {
    const account = await accounts.get(userId)
    return account?.status === 'ACTIVE' ? toPrincipal(account, 'Bearer') : undefined
  }

  return {
    userCreated,
    registerRoutes(router) {
      registerProductRoutes(router, { product, errorReports })
      registerSessionRoutes(router, { authenticator, checker, sessions, passwords, linkOrigin })
      registerSettingsRoutes(router, { accounts, settings })
      registerUsersRoutes(router, { users, linkOrigin })
      registerApiKeysRoutes(router, { apiKeys })
      registerStorageRoutes(router, { storage })
    },
    authenticate: authenticator.authenticate,
    ensureAdministrator: (given) => users.ensureAdministrator(given),
    async findUserByName(text) {
      const userName = parseUserName(text)
      const userId = userName === undefined ? undefined : await usersStore.findUserId(userName)
      const account = userId === undefined ? undefined : await accounts.get(userId)
      return (
        account && {
          userId: account.userId,
          userName: account.userName,
          companyId: account.companyId,
          status: account.status,
        }
      )
    },
    searchActiveEmails: (text, size) => usersStore.searchActive(text, size),
    findPrincipal,
    async findAdministrator() {
      const userId = await usersStore.firstAdministratorId()
      return userId === undefined ? undefined : findPrincipal(userId)
    },
    storageLimits: () => storage.limits(),
    product,
    async startSession(userId) {
      const account = await accounts.get(userId)
      return account?.status === 'ACTIVE' ? sessions.start(account) : undefined
    },
    endSession: (refreshToken) => sessions.end(refreshToken),
    favoriteNames: (userId, setting) => settings.favoriteNames(userId, setting),
    favoriteIds: (userId, setting) => settings.favoriteIds(userId, setting),
    connectInsights: (insights) => settings.connectInsights(insights),
    createActiveUser: (user) => users.createActive(user),
    setUserStatus: (userId, status) => users.setStatus(userId, status),
    setUserRoles: (userId, roleIds) => users.setRoles(userId, roleIds),
    settled: () => background.settled(),
  }
}
