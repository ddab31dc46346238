import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Maximum number of rows, without the header, of a text that `POST /ncsv/validation` validates. */
export const maxValidatedRows = 1000

/** A problem of a text that is not valid NCSV. */
export const ncsvIssue = z.object({
  rowNumber: z.int().describe('Line of the text, from 1; -1 for the whole text.'),
  columnNumber: z.int().describe('Column, from 1; -1 for a whole row or the whole text.'),
  message: z.string().describe('What is wrong and what is allowed.'),
})
/** A problem of a text that is not valid NCSV, as a type. */
export type NcsvIssue = z.infer<typeof ncsvIssue>

/** Route `POST /ncsv/validation`. */
export const validateNcsv = defineRoute({
  name: 'validateNcsv',
  method: 'POST',
  isAudited: false,
  path: '/ncsv/validation',
  summary:
    'Validates a CSV text of up to 1000 rows as NCSV and stores nothing. The list is empty for a valid text; otherwise it contains the problems, and a summary as its last item.',
  permission: { resource: 'Lake/Files', mode: 'R' },
  allowsRunTokens: true,
  body: z.string().describe('The CSV text in UTF-8.'),
  bodyKind: 'text',
  bodyBytes: 8 * 1024 * 1024,
  output: z.array(ncsvIssue),
  errors: ['tooManyRows'],
})
