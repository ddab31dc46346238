import { z } from 'zod'
import { defineRoute, pageOf, pageQuery } from '@headwater/contract'
import { apiKey, apiKeyId } from './api-keys.ts'
import { templateName } from './session.ts'

const userStatus = z.enum(['PENDING', 'ACTIVE', 'INACTIVE'])

/** A user as administrators see one. */
export const user = z.object({
  userName: z.string().describe('The e-mail address, in lower case; unique.'),
  company: z.string().describe('Name of the company.'),
  roleIds: z.array(z.int()).describe('Ids of the roles the user holds.'),
  status: userStatus.describe('PENDING until activated; INACTIVE users cannot sign in.'),
  authType: z.enum(['ALL', 'BASIC', 'SSO']).describe('How the user can sign in.'),
  activated: z.boolean().describe('Whether the user has set a first password.'),
  lastLogged: z.string().optional().describe('Last sign-in, ISO date-time in UTC; absent when never.'),
  warehouse: z
    .enum(['ON', 'OFF'])
    .describe('The warehouse setting of the user: whether queries go to the warehouse source.'),
  sub: z.string().describe('Stable id of the user in tokens.'),
})
/** A user as administrators see one, as a type. */
export type User = z.infer<typeof user>

/** A role: a named set of entitlements. */
export const role = z.object({
  id: z.int().describe('Id of the role.'),
  name: z.string().describe('Unique name.'),
  description: z.string().describe('What the role is for.'),
})
/** A role, as a type. */
export type Role = z.infer<typeof role>

/** Route `GET /auth/users`. */
export const listUsers = defineRoute({
  name: 'listUsers',
  method: 'GET',
  path: '/auth/users',
  summary: 'Users, by e-mail ascending.',
  permission: { resource: 'MyAccount/Companies', mode: 'R' },
  query: z.object({
    ...pageQuery(),
    query: z.string().max(300).default('').describe('Part of the e-mail address; empty for all.'),
  }),
  output: pageOf(user),
})

/** Route `POST /auth/users`. */
export const createUser = defineRoute({
  name: 'createUser',
  method: 'POST',
  path: '/auth/users',
  summary: 'Creates a user and sends an activation link by e-mail.',
  permission: { resource: 'MyAccount/Companies', mode: 'RW' },
  body: z.object({
    email: z
      .email('Enter an e-mail address.')
      .max(320)
      .describe('The e-mail address; becomes the user name.'),
    roleIds: z.array(z.int()).max(100).default([]).describe('Roles of the user. Default: the role Analyst.'),
    company: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Name of the company. Default: the company of the caller. Only administrators can name another one.',
      ),
    templateName: templateName.optional().describe('Template opened by the activation link.'),
    withWelcomeEmail: z
      .boolean()
      .default(false)
      .describe('Whether the activation link shows the welcome variant.'),
  }),
  output: user,
  successStatus: 201,
  errors: ['userExists', 'roleNotFound', 'companyNotFound'],
})

const manage = { resource: 'MyAccount/Companies', mode: 'RW' } as const
const userParams = z.object({
  userName: z.string().min(1).max(320).describe('E-mail address of the user, regardless of case.'),
})

/** A session as administrators see one. */
export const userSession = z.object({
  id: z.string().describe('Id of the session.'),
  startedAt: z.string().describe('When the user signed in, ISO date-time in UTC.'),
  lastUsedAt: z.string().describe('When its tokens were last renewed, ISO date-time in UTC.'),
  expiresAt: z.string().describe('When the session ends if it is not used again, ISO date-time in UTC.'),
})
/** A session as administrators see one, as a type. */
export type UserSession = z.infer<typeof userSession>

/** A user with the sessions and API keys that give access to the account. */
export const userDetails = user.extend({
  sessions: z
    .array(userSession)
    .optional()
    .describe(
      'Active sessions, most recently used first; at most 100. Absent unless the caller can manage the user.',
    ),
  apiKeys: z
    .array(apiKey)
    .optional()
    .describe('API keys, newest first. Absent unless the caller can manage the user.'),
  storedBytes: z.int().describe('Bytes of the files that the user owns, all versions counted.'),
})
/** A user with the sessions and API keys that give access to the account, as a type. */
export type UserDetails = z.infer<typeof userDetails>

/** Route `GET /auth/users/:userName`. */
export const getUser = defineRoute({
  name: 'getUser',
  method: 'GET',
  path: '/auth/users/:userName',
  summary: 'A user with sessions, API keys and the bytes stored.',
  permission: { resource: 'MyAccount/Companies', mode: 'R' },
  params: userParams,
  output: userDetails,
  errors: ['userNotFound'],
})

/** Route `PATCH /auth/users/:userName`. */
export const updateUser = defineRoute({
  name: 'updateUser',
  method: 'PATCH',
  path: '/auth/users/:userName',
  summary:
    'Deactivates or reactivates a user, or changes the roles. All tokens, API keys and passwords of a deactivated user are rejected immediately, and the sessions end. API keys work again after reactivation unless they are deleted.',
  permission: manage,
  params: userParams,
  body: z
    .object({
      active: z.boolean().optional().describe('Whether the user can sign in.'),
      roleIds: z
        .array(z.int())
        .min(1, 'Choose at least one role.')
        .max(100)
        .optional()
        .describe('Roles of the user, in place of the current ones.'),
    })
    .refine(
      ({ active, roleIds }) => active !== undefined || roleIds !== undefined,
      'Send active, roleIds or both.',
    ),
  output: user,
  errors: ['userNotFound', 'roleNotFound', 'lastAdministrator'],
})

/** Route `DELETE /auth/users/:userName/sessions`. */
export const endUserSessions = defineRoute({
  name: 'endUserSessions',
  method: 'DELETE',
  path: '/auth/users/:userName/sessions',
  summary: 'Ends all sessions of a user at once. API keys keep working.',
  permission: manage,
  params: userParams,
  output: z.object({ ended: z.int().describe('Number of sessions that were ended.') }),
  errors: ['userNotFound'],
})

/** Route `DELETE /auth/users/:userName/apiKeys`. */
export const deleteUserApiKeys = defineRoute({
  name: 'deleteUserApiKeys',
  method: 'DELETE',
  path: '/auth/users/:userName/apiKeys',
  summary: 'Deletes all API keys of a user; they stop working at once.',
  permission: manage,
  params: userParams,
  output: z.object({ deleted: z.int().describe('Number of API keys that were deleted.') }),
  errors: ['userNotFound'],
})

/** Route `DELETE /auth/users/:userName/apiKeys/:id`. */
export const deleteUserApiKey = defineRoute({
  name: 'deleteUserApiKey',
  method: 'DELETE',
  path: '/auth/users/:userName/apiKeys/:id',
  summary: 'Deletes one API key of a user; it stops working at once.',
  permission: manage,
  params: userParams.extend(apiKeyId.shape),
  output: z.object({}),
  errors: ['userNotFound', 'userApiKeyNotFound'],
})

/** Route `GET /auth/roles`. */
export const listRoles = defineRoute({
  name: 'listRoles',
  method: 'GET',
  path: '/auth/roles',
  summary: 'Roles, by name ascending.',
  permission: { resource: 'MyAccount/Companies', mode: 'R' },
  query: z.object({ ...pageQuery() }),
  output: pageOf(role),
})
