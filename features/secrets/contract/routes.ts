import { z } from 'zod'
import { defineRoute, pageOf, pageQuery } from '@headwater/contract'
import { secret, secretName, secretValue } from './secret.ts'

const read = { resource: 'Science', mode: 'R' } as const
const write = { resource: 'Science/Creator', mode: 'RW' } as const
const administer = { resource: 'Administrator', mode: 'R' } as const

const name = z.object({ name: secretName.describe('Name of the secret.') })
const groupName = z
  .string()
  .trim()
  .min(1, 'Choose a group, or omit groupName for a personal secret.')
  .max(200)
  .optional()
  .describe('Group that owns the secret. Default: the caller.')

/** Route `GET /mgmt/secret`. */
export const listSecrets = defineRoute({
  name: 'listSecrets',
  method: 'GET',
  path: '/mgmt/secret',
  summary:
    'Personal secrets of the caller, or the secrets of a group that the caller can read, by name. Values are never returned.',
  permission: read,
  query: z.object({ ...pageQuery(), groupName }),
  output: pageOf(secret),
  errors: ['groupNotFound'],
})

/** Route `PUT /mgmt/secret/:name`. */
export const putSecret = defineRoute({
  name: 'putSecret',
  method: 'PUT',
  path: '/mgmt/secret/:name',
  summary: 'Stores a secret or replaces its value. For a group, the caller needs write access.',
  permission: write,
  params: name,
  body: z.object({
    value: secretValue.describe('Value of the secret, 8 to 8,192 characters. No route returns it.'),
    groupName,
    isNew: z
      .boolean()
      .default(false)
      .describe(
        'Whether to reject the name of an existing secret instead of replacing its value. Default false.',
      ),
  }),
  output: secret,
  errors: ['groupNotFound', 'groupForbidden', 'secretNameTaken', 'tooManySecrets'],
})

/** Route `DELETE /mgmt/secret/:name`. */
export const deleteSecret = defineRoute({
  name: 'deleteSecret',
  method: 'DELETE',
  path: '/mgmt/secret/:name',
  summary: 'Deletes a secret. For a group, the caller needs write access.',
  permission: write,
  params: name,
  query: z.object({ groupName }),
  output: z.object({}),
  errors: ['groupNotFound', 'groupForbidden', 'secretNotFound'],
})

/** Route `POST /mgmt/secret/rotate`. */
export const rotateSecretKey = defineRoute({
  name: 'rotateSecretKey',
  method: 'POST',
  path: '/mgmt/secret/rotate',
  summary:
    'Adds an encryption key to the installation and re-encrypts all secrets with it. For administrators.',
  permission: administer,
  output: z.object({ count: z.int().min(0).describe('Number of re-encrypted secrets.') }),
})
