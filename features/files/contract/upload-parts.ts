import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { contentReceipt } from './file.ts'
import { fid, token } from './path-parts.ts'

/** Maximum size of a part in bytes. */
export const maxPartBytes = 64 * 1024 * 1024
/** Maximum number of parts of an upload. */
export const maxParts = 10_000

/** A part of a content that the server has stored. */
export const uploadPart = z.object({
  number: z.int().describe('Position of the part, from 1.'),
  size: z.int().describe('Size in bytes.'),
  sha256: z.string().describe('SHA-256 of the part, lower-case hexadecimal.'),
})
/** A part of the content of a file that the server has stored, as a type. */
export type UploadPart = z.infer<typeof uploadPart>

/** Route `PUT /file/:fid/parts/:number`. */
export const putPart = defineRoute({
  name: 'putPart',
  method: 'PUT',
  isAudited: false,
  path: '/file/:fid/parts/:number',
  summary:
    'Stores a part of the content of an announced file. Replaces a part with the same number. The permit is in the URL of the content. Parts can arrive in any order and at the same time.',
  permission: 'public',
  allowsRunTokens: true,
  params: fid.extend({
    number: z.coerce
      .string<string | number>()
      .regex(/^[1-9]\d*$/, `Enter the position of the part in digits, 1 to ${maxParts}.`)
      .transform(Number)
      .pipe(z.int().min(1).max(maxParts))
      .describe(`Position of the part in the content, 1 to ${maxParts}.`),
  }),
  query: token,
  bodyKind: 'stream',
  output: uploadPart,
  errors: [
    'linkNotValid',
    'contentThere',
    'partTooLarge',
    'partEmpty',
    'contentLengthWrong',
    'contentCutOff',
    'digestNotValid',
    'digestWrong',
    'storageFull',
    'storageLimitReached',
    'diskReserved',
  ],
})

/** Route `GET /file/:fid/parts`. */
export const listParts = defineRoute({
  name: 'listParts',
  method: 'GET',
  path: '/file/:fid/parts',
  summary:
    'The stored parts of the content of an announced file, by number. A client that resumes an upload sends the missing parts.',
  permission: 'public',
  allowsRunTokens: true,
  params: fid,
  query: token,
  output: z.object({ parts: z.array(uploadPart).describe('The stored parts, by number.') }),
  errors: ['linkNotValid', 'contentThere'],
})

/** Route `POST /file/:fid/parts/complete`. */
export const completeParts = defineRoute({
  name: 'completeParts',
  method: 'POST',
  path: '/file/:fid/parts/complete',
  summary:
    'Joins the parts 1 to `parts`; they become the content of an announced file. The response is the same as for an upload in one request. Repeating the call returns the same response.',
  permission: 'public',
  allowsRunTokens: true,
  params: fid,
  query: token.extend({
    basedOn: z.string().optional().describe('As in an upload in one request.'),
  }),
  body: z.strictObject({
    parts: z.int().min(1).max(maxParts).describe('Number of parts.'),
    size: z.int().min(1).describe('Size of the content in bytes.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'A SHA-256 must have 64 lower-case hexadecimal digits.')
      .optional()
      .describe('SHA-256 of the content, lower-case hexadecimal. Default: not checked.'),
  }),
  output: contentReceipt,
  errors: [
    'linkNotValid',
    'partsMissing',
    'contentThere',
    'contentLengthWrong',
    'digestWrong',
    'notNewestVersion',
    'fileNameTaken',
    'storageFull',
    'storageLimitReached',
    'diskReserved',
  ],
})
