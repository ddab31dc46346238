import { AppError } from '@headwater/contract'
import { accountErrors, type ProductConfiguration } from '@headwater/accounts/contract'
import type { Log, Mailer } from '@headwater/server-kit'
import {
  activationLinkDays,
  activationMail,
  resetLinkHours,
  resetMail,
  welcomeMail,
} from './account-mails.ts'
import type { AccountsCache } from './accounts-cache.ts'
import type { Identity } from './authenticator.ts'
import type { BackgroundWork } from './background-work.ts'
import type { LinksStore } from './links-store.ts'
import type { PasswordChecker } from './password-checker.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { SessionsService } from './sessions-service.ts'
import type { ThrottleService } from './throttle-service.ts'
import type { Account, UsersStore } from './users-store.ts'

/** Changes and resets passwords, and activates users. */
export interface PasswordsService {
  /**
   * Sets a new password for the caller and ends their other sessions; throws `wrongCurrentPassword`, `passwordCommon` and
   * `passwordOwnName`.
   */
  change(
    identity: Identity,
    change: { password: string; currentPassword?: string | undefined; address: string },
  ): Promise<void>
  /** Sends a link in the background if the user exists; the result does not reveal it. Throws `tooManyAttempts`. */
  requestReset(request: { email: string; address: string; origin: string }): Promise<void>
  /** Sets a new password with a reset link and ends all sessions; returns the user. Throws `linkNotValid`, `passwordCommon`, `passwordOwnName`. */
  confirmReset(confirmation: { token: string; password: string; address: string }): Promise<Account>
  /** Sends an activation link in the background. */
  sendActivation(
    account: Account,
    options: { origin: string; templateName?: string | undefined; withWelcomeEmail: boolean },
  ): void
  /** Returns the user of an activation link; throws `linkNotValid`. */
  getActivation(token: string): Promise<Account>
  /** Sets the first password with an activation link; throws `linkNotValid`, `passwordCommon`, `passwordOwnName`. */
  activate(activation: {
    token: string
    password: string
    templateName?: string | undefined
    withWelcomeEmail: boolean
    address: string
    origin: string
  }): Promise<Account>
}

/** Creates the service of passwords. */
export function createPasswordsService(deps: {
  users: UsersStore
  accounts: AccountsCache
  links: LinksStore
  hasher: PasswordHasher
  checker: PasswordChecker
  sessions: SessionsService
  throttle: ThrottleService
  background: BackgroundWork
  mailer: Mailer
  product: ProductConfiguration
  log: Log
}): PasswordsService {
  const { users, accounts, links, hasher, checker, sessions, throttle, background, mailer, product, log } =
    deps
  const { title } = product

  async function setPassword(account: Account, password: string): Promise<void> {
    await users.setPassword(account.userId, await hasher.hash(password))
    await links.removeOfUser(account.userId, 'reset')
    accounts.drop(account.userId)
    log.info({ userId: account.userId }, 'a user has a new password')
  }

  /** Checks the password before using the link, which then still works for another password. */
  async function requireGoodPasswordOf(userId: number | undefined, password: string): Promise<void> {
    const account = userId === undefined ? undefined : await users.findAccount(userId)
    if (account !== undefined) requireGoodPassword(account.userName, password)
  }

  async function sendReset(account: Account, origin: string): Promise<void> {
    const token = await links.create(account.userId, 'reset', { validMs: resetLinkHours * 3_600_000 })
    await mailer.send(resetMail({ to: account.userName, title, origin, token }))
  }

  function sendActivation(
    account: Account,
    options: { origin: string; templateName?: string | undefined; withWelcomeEmail: boolean },
  ): void {
    background.start('sending an activation mail', async () => {
      const validMs = activationLinkDays * 86_400_000
      const token = await links.create(account.userId, 'activation', { validMs })
      await mailer.send(activationMail({ to: account.userName, title, token, ...options }))
    })
  }

  return {
    async change({ account, scheme, sessionId }, { password, currentPassword, address }) {
      if (scheme !== 'Basic') {
        if (currentPassword === undefined) throw accountErrors.wrongCurrentPassword()
        await checker.check(account.userName, currentPassword, address).catch((error: unknown) => {
          const wrong = error instanceof AppError && error.code === 'wrongCredentials'
          throw wrong ? accountErrors.wrongCurrentPassword() : error
        })
      }
      requireGoodPassword(account.userName, password)
      await setPassword(account, password)
      await sessions.endOfUser(account.userId, sessionId === undefined ? {} : { except: sessionId })
    },

    async requestReset({ email, address, origin }) {
      const userName = email.toLowerCase()
      await throttle.begin('reset', userName, address)
      background.start('sending a reset mail', async () => {
        const userId = await users.findUserId(userName)
        const account = userId === undefined ? undefined : await users.findAccount(userId)
        if (account === undefined || account.authType === 'SSO') return
        if (account.status === 'ACTIVE') await sendReset(account, origin)
        if (account.status === 'PENDING') sendActivation(account, { origin, withWelcomeEmail: false })
      })
    },

    async confirmReset({ token, password, address }) {
      await requireGoodPasswordOf(await links.find(token, 'reset'), password)
      const userId = await links.take(token, 'reset')
      const account = userId === undefined ? undefined : await users.findAccount(userId)
      if (account?.status !== 'ACTIVE') throw accountErrors.linkNotValid()
      await setPassword(account, password)
      await sessions.endOfUser(account.userId)
      await throttle.trust(account.userId, account.userName, address)
      return account
    },

    sendActivation,

    async getActivation(token) {
      const userId = await links.find(token, 'activation')
      const account = userId === undefined ? undefined : await users.findAccount(userId)
      if (account?.status !== 'PENDING') throw accountErrors.linkNotValid()
      return account
    },

    async activate({ token, password, templateName, withWelcomeEmail, address, origin }) {
      await requireGoodPasswordOf(await links.find(token, 'activation'), password)
      const userId = await links.take(token, 'activation')
      if (userId === undefined) throw accountErrors.linkNotValid()
      const passwordHash = await hasher.hash(password)
      const activated = await users.activate(userId, { passwordHash, templateName })
      accounts.drop(userId)
      const account = await users.findAccount(userId)
      if (!activated || account === undefined) throw accountErrors.linkNotValid()
      await throttle.trust(userId, account.userName, address)
      if (withWelcomeEmail)
        background.start('sending a welcome mail', () =>
          mailer.send(welcomeMail({ to: account.userName, title, origin })),
        )
      return account
    },
  }
}
