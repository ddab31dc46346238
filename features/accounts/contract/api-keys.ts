import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** An API key as its owner sees it; the secret is shown once, when it is created. */
export const apiKey = z.object({
  id: z.int().describe('Id of the key.'),
  label: z.string().describe('What the key is for.'),
  createdAt: z.string().describe('When it was created, ISO date-time in UTC.'),
  expiresAt: z
    .string()
    .optional()
    .describe('When it stops working, ISO date-time in UTC; absent when it never does.'),
  lastUsedAt: z.string().optional().describe('When it was last used, to the minute; absent when never.'),
})
export type ApiKey = z.infer<typeof apiKey>

export const apiKeyId = z.object({
  id: z.coerce.number<string | number>().int().describe('Id of the key.'),
})

export const listApiKeys = defineRoute({
  name: 'listApiKeys',
  method: 'GET',
  path: '/auth/apiKeys',
  summary: 'The API keys of the calling user, newest first.',
  permission: 'signed-in',
  output: z.array(apiKey),
})

export const createApiKey = defineRoute({
  name: 'createApiKey',
  method: 'POST',
  path: '/auth/apiKeys',
  summary:
    'Creates an API key. The answer is the only place where its secret is shown. API keys themselves cannot create keys.',
  permission: 'signed-in',
  body: z.object({
    label: z.string().trim().min(1, 'A label is required.').max(100).describe('What the key is for.'),
    expiresAt: z
      .union(
        [z.iso.date(), z.iso.datetime({ local: true, offset: true })],
        'Enter a date, such as 2027-12-31.',
      )
      .optional()
      .describe(
        'When it stops working: a date, which counts to its end, or a date-time, in UTC when it names no zone. Absent = never.',
      ),
  }),
  output: apiKey.extend({ key: z.string().describe('The secret; begins with NG_.') }),
  successStatus: 201,
  errors: ['tooManyApiKeys', 'apiKeysOff', 'apiKeyByApiKey', 'expiryPast', 'expiryTooLate'],
})

export const deleteApiKey = defineRoute({
  name: 'deleteApiKey',
  method: 'DELETE',
  path: '/auth/apiKeys/:id',
  summary: 'Deletes an API key of the calling user; it stops working at once.',
  permission: 'signed-in',
  params: apiKeyId,
  output: z.object({}),
  errors: ['apiKeyNotFound'],
})
