import type { User } from '../../contract/index.ts'

/** How a user may log in, in words. */
export const loginWays: Record<User['authType'], string> = {
  ALL: 'Password or single sign-on',
  BASIC: 'Password',
  SSO: 'Single sign-on',
}
