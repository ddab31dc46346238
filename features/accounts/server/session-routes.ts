import {
  accountErrors,
  activateUser,
  changePassword,
  confirmPasswordReset,
  getActivation,
  logIn,
  logInWithBasic,
  logOut,
  refreshSession,
  requestPasswordReset,
} from '@headwater/accounts/contract'
import { commonErrors } from '@headwater/contract'
import type { NamedUser, Router } from '@headwater/server-kit'
import type { Authenticator } from './authenticator.ts'
import type { LinkOrigin } from './link-origin.ts'
import type { PasswordChecker } from './password-checker.ts'
import type { PasswordsService } from './passwords-service.ts'
import type { SessionsService } from './sessions-service.ts'
import type { Account } from './users-store.ts'

/** Registers the routes of sign-in, sessions and passwords. */
export function registerSessionRoutes(
  router: Router,
  deps: {
    authenticator: Authenticator
    checker: PasswordChecker
    sessions: SessionsService
    passwords: PasswordsService
    linkOrigin: LinkOrigin
  },
): void {
  const { authenticator, checker, sessions, passwords, linkOrigin } = deps

  router.add(logInWithBasic, async (_input, { request }) => {
    const identity = await authenticator.identify(request)
    if (identity?.scheme !== 'Basic') throw accountErrors.wrongCredentials()
    return sessions.start(identity.account)
  })

  router.add(logIn, async ({ body }, { request }) => {
    const account = await checker.check(body.userName, body.password, request.ip)
    request.namedUser = userOf(account)
    return sessions.start(account)
  })

  router.add(refreshSession, ({ body }) => sessions.refresh(body.refreshToken, body.fromAddress))

  router.add(logOut, async ({ body }) => {
    await sessions.end(body.refreshToken)
    return {}
  })

  router.add(changePassword, async ({ body }, { request }) => {
    const identity = await authenticator.identify(request)
    if (identity === undefined) throw commonErrors.signInNeeded()
    await passwords.change(identity, { ...body, address: request.ip })
    return {}
  })

  router.add(requestPasswordReset, async ({ body }, { request }) => {
    const origin = linkOrigin.of(request, { trusted: false })
    await passwords.requestReset({ email: body.email, address: request.ip, origin })
    return {}
  })

  router.add(confirmPasswordReset, async ({ body }, { request }) => {
    request.namedUser = userOf(await passwords.confirmReset({ ...body, address: request.ip }))
    return {}
  })

  router.add(getActivation, async ({ params }) => {
    const { userName, company } = await passwords.getActivation(params.token)
    return { userName, company }
  })

  router.add(activateUser, async ({ params, body }, { request }) => {
    const origin = linkOrigin.of(request, { trusted: false })
    const account = await passwords.activate({ token: params.token, ...body, address: request.ip, origin })
    request.namedUser = userOf(account)
    return sessions.start(account)
  })
}

function userOf({ userId, userName }: Account): NamedUser {
  return { userId, userName }
}
