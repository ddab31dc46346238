import { z } from 'zod'
import { defineRoute, isPlainLine, notPlainLine } from '@headwater/contract'

/** An API key without its secret. */
export const apiKey = z.object({
  id: z.int().describe('Id of the key.'),
  label: z.string().describe('What the key is for.'),
  createdAt: z.string().describe('When it was created, ISO date-time in UTC.'),
  expiresAt: z.string().optional().describe('Expiry, ISO date-time in UTC; absent if the key never expires.'),
  lastUsedAt: z.string().optional().describe('When it was last used, to the minute; absent when never.'),
})
/** An API key without its secret, as a type. */
export type ApiKey = z.infer<typeof apiKey>

/** Path parameters of one API key. */
export const apiKeyId = z.object({
  id: z.coerce.number<string | number>().int().describe('Id of the key.'),
})

/** Route `GET /auth/apiKeys`. */
export const listApiKeys = defineRoute({
  name: 'listApiKeys',
  method: 'GET',
  path: '/auth/apiKeys',
  summary: 'The API keys of the calling user, newest first.',
  permission: 'signed-in',
  output: z.array(apiKey),
})

/** Route `POST /auth/apiKeys`. */
export const createApiKey = defineRoute({
  name: 'createApiKey',
  method: 'POST',
  path: '/auth/apiKeys',
  summary: 'Creates an API key. The secret is only in this response. API keys themselves cannot create keys.',
  permission: 'signed-in',
  body: z.object({
    label: z
      .string()
      .trim()
      .min(1, 'A label is required.')
      .max(100)
      .refine(isPlainLine, notPlainLine)
      .describe('What the key is for.'),
    expiresAt: z
      .union(
        [z.iso.date(), z.iso.datetime({ local: true, offset: true })],
        'Enter a date, such as 2027-12-31.',
      )
      .optional()
      .describe(
        'Expiry: a date (valid until the end of that day in UTC) or a date-time (UTC unless it names a zone). Absent = never.',
      ),
  }),
  output: apiKey.extend({ key: z.string().describe('The secret; begins with NG_.') }),
  successStatus: 201,
  errors: ['tooManyApiKeys', 'apiKeysOff', 'apiKeyByApiKey', 'expiryPast', 'expiryTooLate'],
})

/** Route `DELETE /auth/apiKeys/:id`. */
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
