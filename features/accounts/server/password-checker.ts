import { setNewest } from '@headwater/contract'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { accountErrors } from '@headwater/accounts/contract'
import { networkOf, type Clock } from '@headwater/server-kit'
import type { AccountsCache } from './accounts-cache.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { ThrottleService } from './throttle-service.ts'
import { parseUserName } from './user-name.ts'
import type { Account, UsersStore } from './users-store.ts'

/** Longer passwords are refused without hashing. */
const maxPasswordLength = 1000
/** Cache lifetime of a verified password. */
const verifiedTtlMs = 5 * 60_000
const maxVerified = 10_000

/** Checks user names and passwords. */
export interface PasswordChecker {
  /**
   * Returns the active user with this name and password. Throws `wrongCredentials` for a wrong name or password,
   * `accountDeactivated` for the right password of a deactivated user, and `tooManyAttempts`. A wrong name takes the same
   * time as a wrong password, and a wrong password does not reveal the status of the user.
   */
  check(userName: string, password: string, address: string): Promise<Account>
}

/** A cached verification; valid only while the user has the same password hash. */
interface Verified {
  userId: number
  mac: Buffer
  passwordHash: string
  until: number
}

/**
 * Creates the checker. Clients can send name and password with every call, so a verified password is cached per name and
 * address, as a keyed hash. A wrong password removes the entry, so that guesses never bypass the throttle. Concurrent
 * equal checks share one verification.
 */
export function createPasswordChecker(deps: {
  store: UsersStore
  accounts: AccountsCache
  hasher: PasswordHasher
  throttle: ThrottleService
  clock: Clock
}): PasswordChecker {
  const { store, accounts, hasher, throttle, clock } = deps
  const memoryKey = randomBytes(32)
  const verified = new Map<string, Verified>()
  const running = new Map<string, Promise<Account>>()

  return {
    async check(userNameText, password, address) {
      const userName = parseUserName(userNameText)
      if (userName === undefined || password.length > maxPasswordLength)
        throw accountErrors.wrongCredentials()
      const source = `${userName} ${networkOf(address)}`
      const mac = createHmac('sha256', memoryKey).update(password, 'utf8').digest()
      const cached = await findVerified(source, mac)
      if (cached !== undefined) return cached
      const key = `${source} ${mac.toString('base64')}`
      const same = running.get(key)
      if (same !== undefined) return same
      const check = checkByHash(userName, password, address)
        .then(({ account, passwordHash }) => {
          const until = clock.now().getTime() + verifiedTtlMs
          cacheVerified(source, { userId: account.userId, mac, passwordHash, until })
          return account
        })
        .finally(() => running.delete(key))
      running.set(key, check)
      return check
    },
  }

  async function findVerified(source: string, mac: Buffer): Promise<Account | undefined> {
    const entry = verified.get(source)
    if (entry === undefined) return undefined
    if (timingSafeEqual(entry.mac, mac) && entry.until > clock.now().getTime()) {
      const account = await accounts.get(entry.userId)
      const isActive = hasPassword(account) && account.status === 'ACTIVE'
      if (isActive && account.passwordHash === entry.passwordHash) return account
    }
    verified.delete(source)
    return undefined
  }

  async function checkByHash(
    userName: string,
    password: string,
    address: string,
  ): Promise<{ account: Account; passwordHash: string }> {
    const attempt = await throttle.begin('password', userName, address)
    const userId = await store.findUserId(userName)
    const account = userId === undefined ? undefined : await store.findAccount(userId)
    const passwordHash = hasPassword(account) ? account.passwordHash : undefined
    const matches = await hasher.verify(passwordHash, password)
    if (!matches || account === undefined || passwordHash === undefined)
      throw accountErrors.wrongCredentials()
    if (account.status !== 'ACTIVE') throw accountErrors.accountDeactivated()
    await attempt.succeeded(account.userId)
    return { account, passwordHash }
  }

  function cacheVerified(source: string, entry: Verified): void {
    setNewest(verified, source, entry, maxVerified)
  }
}

/** Users who are not activated have no password yet, and users of another sign-in never. */
function hasPassword(account: Account | undefined): account is Account {
  return account !== undefined && account.status !== 'PENDING' && account.authType !== 'SSO'
}
