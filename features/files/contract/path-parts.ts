import { z } from 'zod'

/** The id of a file in a path. */
export const fid = z.object({
  fid: z
    .string()
    .regex(/^[0-9A-Za-z]{8}(-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}$/, 'The id of a file must be a UUID.')
    .transform((text) => text.toLowerCase())
    .describe('Id of the file.'),
})

/** The permit in a query. */
export const token = z.object({
  token: z.string().max(500).default('').describe('The permit in the URL.'),
})
