import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { newPassword } from './new-password.ts'

/** A pair of tokens: a short-lived access token and the refresh token for the next pair. */
export const tokenPair = z.object({
  token: z.string().describe('Access token (JWT) for `Authorization: Bearer`; valid 15 minutes.'),
  refreshToken: z
    .string()
    .describe('Opaque token for `POST /auth/refresh`; each one works once; valid 30 days.'),
})
/** A pair of tokens, as a type. */
export type TokenPair = z.infer<typeof tokenPair>

/** The name of a template in a link; a segment of a path, so it cannot be `.` or `..`. */
export const templateName = z
  .string()
  .trim()
  .min(1, 'A template needs a name.')
  .max(200)
  .refine((name) => name !== '.' && name !== '..', 'A template cannot have this name.')

const refreshBody = z.object({
  refreshToken: z.string().min(1).max(500).describe('The refresh token of the last pair.'),
})

/** Route `GET /auth/login`. */
export const logInWithBasic = defineRoute({
  name: 'logInWithBasic',
  method: 'GET',
  path: '/auth/login',
  summary: 'Exchanges Basic credentials in the Authorization header for a pair of tokens.',
  permission: 'public',
  output: tokenPair,
  errors: ['wrongCredentials', 'accountDeactivated', 'tooManyAttempts'],
})

/** Route `POST /auth/login`. */
export const logIn = defineRoute({
  name: 'logIn',
  method: 'POST',
  path: '/auth/login',
  summary: 'Exchanges a user name and password for a pair of tokens.',
  permission: 'public',
  body: z.object({
    userName: z
      .string()
      .trim()
      .min(1, 'Enter your e-mail address.')
      .max(320)
      .describe('The e-mail address of the user, regardless of case.'),
    password: z.string().min(1, 'Enter your password.').max(1000).describe('The password.'),
  }),
  output: tokenPair,
  errors: ['wrongCredentials', 'accountDeactivated', 'tooManyAttempts'],
})

/** Route `POST /auth/refresh`. */
export const refreshSession = defineRoute({
  name: 'refreshSession',
  method: 'POST',
  isAudited: false,
  path: '/auth/refresh',
  summary:
    'Exchanges a refresh token for a new pair. Reuse of a token after more than ten seconds ends the session.',
  permission: 'public',
  body: refreshBody.extend({
    fromAddress: z
      .string()
      .min(16, 'Enter a random text of at least 16 characters.')
      .max(100)
      .optional()
      .describe(
        'For a token from a URL: a random text that the browser generates for this exchange. Such a token works once, within five minutes of issue. The same text can repeat the exchange for ten seconds, for example after a reload. Absent = the token was stored.',
      ),
  }),
  output: tokenPair,
  errors: ['sessionEnded', 'accountDeactivated'],
})

/** Route `POST /auth/logout`. */
export const logOut = defineRoute({
  name: 'logOut',
  method: 'POST',
  path: '/auth/logout',
  summary: 'Ends the session that the refresh token belongs to. An unknown token is no error.',
  permission: 'public',
  body: refreshBody,
  output: z.object({}),
})

/** Route `POST /auth/changePassword`. */
export const changePassword = defineRoute({
  name: 'changePassword',
  method: 'POST',
  path: '/auth/changePassword',
  summary: 'Sets a new password for the calling user and ends all other sessions.',
  permission: 'signed-in',
  body: z.object({
    password: newPassword,
    currentPassword: z
      .string()
      .max(1000)
      .optional()
      .describe('The current password; required if the caller signed in with a token.'),
  }),
  output: z.object({}),
  errors: ['wrongCurrentPassword', 'tooManyAttempts', 'passwordCommon', 'passwordOwnName'],
})

/** Route `POST /auth/resetPassword`. */
export const requestPasswordReset = defineRoute({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/auth/resetPassword',
  summary: 'Sends a link to set a new password. The response is the same whether or not the user exists.',
  permission: 'public',
  body: z.object({
    email: z.email('Enter an e-mail address.').max(320).describe('The e-mail address of the user.'),
  }),
  output: z.object({}),
  successStatus: 202,
  errors: ['tooManyAttempts'],
})

/** Route `POST /auth/resetPassword/confirm`. */
export const confirmPasswordReset = defineRoute({
  name: 'confirmPasswordReset',
  method: 'POST',
  path: '/auth/resetPassword/confirm',
  summary: 'Sets a new password with the token from the e-mail; the token works once, for one hour.',
  permission: 'public',
  body: z.object({
    token: z.string().min(1).max(200).describe('The token from the link.'),
    password: newPassword,
  }),
  output: z.object({}),
  errors: ['linkNotValid', 'passwordCommon', 'passwordOwnName'],
})

/** Route `GET /auth/activation/:token`. */
export const getActivation = defineRoute({
  name: 'getActivation',
  method: 'GET',
  path: '/auth/activation/:token',
  summary: 'Says whom an activation link belongs to.',
  permission: 'public',
  params: z.object({ token: z.string().max(200).describe('The token from the link.') }),
  output: z.object({
    userName: z.string().describe('The e-mail address that is activated.'),
    company: z.string().describe('The company of the user.'),
  }),
  errors: ['linkNotValid'],
})

/** Route `POST /auth/activation/:token`. */
export const activateUser = defineRoute({
  name: 'activateUser',
  method: 'POST',
  path: '/auth/activation/:token',
  summary: 'Activates a user and sets the first password; the token works once, for seven days.',
  permission: 'public',
  params: z.object({ token: z.string().max(200).describe('The token from the link.') }),
  body: z.object({
    password: newPassword,
    templateName: templateName
      .optional()
      .describe('The template named in the link; it is stored with the user.'),
    withWelcomeEmail: z
      .boolean()
      .default(false)
      .describe('Whether to send a welcome e-mail after activation.'),
  }),
  output: tokenPair,
  errors: ['linkNotValid', 'passwordCommon', 'passwordOwnName'],
})
