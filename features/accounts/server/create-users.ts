import { accountErrors } from '@headwater/accounts/contract'
import type { EventEmitter, Executor, Log } from '@headwater/server-kit'
import type { AccountsCache } from './accounts-cache.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { RolesStore } from './roles-store.ts'
import { newSecret } from './secrets.ts'
import { parseUserName } from './user-name.ts'
import type { UsersStore } from './users-store.ts'

/** Emitted in the transaction that creates a user; an error rolls the user back. */
export type UserCreated = EventEmitter<[user: { userId: number; userName: string }, executor: Executor]>

/** Dependencies of the functions that create users. */
export interface CreateUsersDependencies {
  /** Stores users. */
  store: UsersStore
  /** Stores roles. */
  roles: Pick<RolesStore, 'findByName'>
  /** Cache of users. */
  accounts: AccountsCache
  /** Hashes passwords. */
  hasher: PasswordHasher
  /** Emitted with each new user. */
  userCreated: UserCreated
  /** Log of new users. */
  log: Log
}

/** Creates a user and emits `userCreated`; returns undefined if the name is taken. */
export async function createUser(
  { store, userCreated, log }: Pick<CreateUsersDependencies, 'store' | 'userCreated' | 'log'>,
  user: Parameters<UsersStore['create']>[0],
): Promise<{ userId: number } | undefined> {
  const created = await store.create(user, (named, executor) => userCreated.emit(named, executor))
  if (created !== undefined) log.info({ userId: created.userId }, 'a user was created')
  return created
}

/**
 * Ensures that an administrator exists: if no active user holds every resource, creates the user of this e-mail address or
 * adds the role Administrator. Generates a password if none is given.
 */
export async function ensureAdministrator(
  deps: CreateUsersDependencies,
  { email, password }: { email: string; password?: string | undefined },
): Promise<{ created: boolean; generatedPassword?: string }> {
  const { store, roles, hasher } = deps
  const userName = parseUserName(email)
  if (userName === undefined) throw new Error('The e-mail address of the administrator is not valid.')
  if (password !== undefined && (password.length < 10 || password.length > 200))
    throw new Error(
      'The password of the administrator must have 10 to 200 characters; the one in ' +
        `HEADWATER_ADMIN_PASSWORD has ${password.length}.`,
    )
  if ((await store.firstAdministratorId()) !== undefined) return { created: false }
  if (password !== undefined) requireGoodAdministratorPassword(userName, password)
  const role = await roles.findByName('Administrator')
  if (role === undefined) throw new Error('The role Administrator does not exist.')
  const generatedPassword = password === undefined ? newSecret().slice(0, 20) : undefined
  const created = await createUser(deps, {
    userName,
    companyId: await store.firstCompanyId(),
    roleIds: [role.id],
    status: 'ACTIVE',
    passwordHash: await hasher.hash(password ?? generatedPassword ?? ''),
  })
  if (created === undefined) {
    await addRole(deps, userName, role.id)
    return { created: false }
  }
  return { created: true, ...(generatedPassword === undefined ? {} : { generatedPassword }) }
}

/** Creates a user in the first company who can sign in immediately; throws `userExists`. */
export async function createActiveUser(
  deps: CreateUsersDependencies,
  { email, password, role: roleName }: { email: string; password: string; role: string },
): Promise<{ userId: number }> {
  const { store, roles, hasher } = deps
  const userName = parseUserName(email)
  const role = await roles.findByName(roleName)
  if (userName === undefined) throw new Error(`“${email}” is not an e-mail address.`)
  if (role === undefined) throw new Error(`There is no role ${roleName}.`)
  const created = await createUser(deps, {
    userName,
    companyId: await store.firstCompanyId(),
    roleIds: [role.id],
    status: 'ACTIVE',
    passwordHash: await hasher.hash(password),
  })
  if (created === undefined) throw accountErrors.userExists({ email: userName })
  return created
}

async function addRole(
  { store, accounts }: CreateUsersDependencies,
  userName: string,
  roleId: number,
): Promise<void> {
  const userId = await store.findUserId(userName)
  if (userId === undefined) return
  await store.addRole(userId, roleId)
  accounts.drop(userId)
}

function requireGoodAdministratorPassword(userName: string, password: string): void {
  try {
    requireGoodPassword(userName, password)
  } catch (error) {
    throw new Error(`HEADWATER_ADMIN_PASSWORD cannot be used. ${(error as Error).message}`, { cause: error })
  }
}
