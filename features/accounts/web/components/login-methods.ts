import type { User } from '../../contract/index.ts'

/** Labels of the login methods. */
export const loginWays: Record<User['authType'], string> = {
  ALL: 'Password or single sign-on',
  BASIC: 'Password',
  SSO: 'Single sign-on',
}
