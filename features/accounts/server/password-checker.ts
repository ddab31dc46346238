import { createHmac, randomBytes } from 'node:crypto'
import { accountErrors } from '@headwater/accounts/contract'
import type { Clock } from '@headwater/server-kit'
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

/** A pair that was right a moment ago; it counts only as long as the user still has this very password hash. */
interface Verified {
  userId: number
  passwordHash: string
  until: number
}

/**
 * Creates the checker. Clients may send name and password with every call, so a pair that was right is remembered for
 * a while, under a key that cannot be turned back into the password; equal checks at the same time share one.
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
      const pair = createHmac('sha256', memoryKey)
        .update(JSON.stringify([userName, password]))
        .digest('base64')
      const known = await findVerified(pair)
      if (known !== undefined) return known
      const key = `${pair} ${address}`
      const same = running.get(key)
      if (same !== undefined) return same
      const check = checkByHash(userName, password, address, pair).finally(() => running.delete(key))
      running.set(key, check)
      return check
    },
  }

  async function findVerified(pair: string): Promise<Account | undefined> {
    const entry = verified.get(pair)
    if (entry === undefined) return undefined
    const account = await accounts.get(entry.userId)
    const stillRight = mayUsePassword(account) && account.passwordHash === entry.passwordHash
    if (stillRight && entry.until > clock.now().getTime()) return account
    verified.delete(pair)
    return undefined
  }

  async function checkByHash(
    userName: string,
    password: string,
    address: string,
    pair: string,
  ): Promise<Account> {
    const attempt = await throttle.begin('password', userName, address)
    const userId = await store.findUserId(userName)
    const account = userId === undefined ? undefined : await store.findAccount(userId)
    const passwordHash = mayUsePassword(account) ? account.passwordHash : undefined
    const matches = await hasher.verify(passwordHash, password)
    if (!matches || account === undefined || passwordHash === undefined)
      throw accountErrors.wrongCredentials()
    await attempt.succeeded(account.userId)
    remember(pair, { userId: account.userId, passwordHash, until: clock.now().getTime() + verifiedTtlMs })
    return account
  }

  function remember(pair: string, entry: Verified): void {
    verified.delete(pair)
    verified.set(pair, entry)
    const [oldest] = verified.keys()
    if (verified.size > maxVerified) verified.delete(oldest as string)
  }
}

function mayUsePassword(account: Account | undefined): account is Account {
  return account !== undefined && account.status === 'ACTIVE' && account.authType !== 'SSO'
}
