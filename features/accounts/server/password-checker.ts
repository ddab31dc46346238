import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { accountErrors } from '@headwater/accounts/contract'
import { networkOf, type Clock } from '@headwater/server-kit'
import type { AccountsCache } from './accounts-cache.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { ThrottleService } from './throttle-service.ts'
import { parseUserName } from './user-name.ts'
import type { Account, UsersStore } from './users-store.ts'

/** The longest password that is looked at. */
const maxPasswordLength = 1000
/** How long a verified password is believed without computing its hash again. */
const verifiedTtlMs = 5 * 60_000
const maxVerified = 10_000

/** Checks user names and passwords. */
export interface PasswordChecker {
  /**
   * The active user with this name and password. Throws `wrongCredentials`, whatever is wrong, or `tooManyAttempts`.
   * A wrong name costs the same work as a wrong password.
   */
  check(userName: string, password: string, address: string): Promise<Account>
}

/** A password that was right a moment ago; it counts only as long as the user still has this very password hash. */
interface Verified {
  userId: number
  mac: Buffer
  passwordHash: string
  until: number
}

/**
 * Creates the checker. Clients may send name and password with every call, so the password that was right for a name
 * and an address is remembered for a while, in a form that cannot be turned back. A wrong one in between makes it
 * forgotten: guesses never get around the counting. Equal checks at the same time share one.
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
      const place = `${userName} ${networkOf(address)}`
      const mac = createHmac('sha256', memoryKey).update(password, 'utf8').digest()
      const known = await findVerified(place, mac)
      if (known !== undefined) return known
      const key = `${place} ${mac.toString('base64')}`
      const same = running.get(key)
      if (same !== undefined) return same
      const check = checkByHash(userName, password, address)
        .then(({ account, passwordHash }) => {
          const until = clock.now().getTime() + verifiedTtlMs
          remember(place, { userId: account.userId, mac, passwordHash, until })
          return account
        })
        .finally(() => running.delete(key))
      running.set(key, check)
      return check
    },
  }

  async function findVerified(place: string, mac: Buffer): Promise<Account | undefined> {
    const entry = verified.get(place)
    if (entry === undefined) return undefined
    if (timingSafeEqual(entry.mac, mac) && entry.until > clock.now().getTime()) {
      const account = await accounts.get(entry.userId)
      if (mayUsePassword(account) && account.passwordHash === entry.passwordHash) return account
    }
    verified.delete(place)
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
    const passwordHash = mayUsePassword(account) ? account.passwordHash : undefined
    const matches = await hasher.verify(passwordHash, password)
    if (!matches || account === undefined || passwordHash === undefined)
      throw accountErrors.wrongCredentials()
    await attempt.succeeded(account.userId)
    return { account, passwordHash }
  }

  function remember(place: string, entry: Verified): void {
    verified.delete(place)
    verified.set(place, entry)
    const [oldest] = verified.keys()
    if (verified.size > maxVerified) verified.delete(oldest as string)
  }
}

function mayUsePassword(account: Account | undefined): account is Account {
  return account !== undefined && account.status === 'ACTIVE' && account.authType !== 'SSO'
}
