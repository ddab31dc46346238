import { z } from 'zod'
import { cutText } from './error.ts'

/** The largest page a list answers with when the route does not say otherwise. */
export const maxPageSize = 1000
/** The page size when the caller names none. */
export const defaultPageSize = 100

/** The envelope of every list: `from` is the index of the first hit, `totalSize` the number of all hits. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    from: z.int().min(0).describe('Index of the first item of this page among all hits, counted from 0.'),
    totalSize: z.int().min(0).describe('Number of all hits, whatever the page size.'),
    items: z.array(item).describe('The hits of this page, in the order asked for.'),
  })
}

/** The envelope as a type. */
export interface Page<T> {
  from: number
  totalSize: number
  items: T[]
}

/** Query parameters every list takes: `size` (1 to `max`, default 100) and `from` (default 0). Text from a URL is converted. */
export function pageQuery(max = maxPageSize) {
  return {
    size: z.coerce
      .number<string | number | undefined>()
      .int()
      .min(1)
      .max(max)
      .default(Math.min(defaultPageSize, max))
      .describe(`Number of items wanted, 1 to ${max}.`),
    from: z.coerce
      .number<string | number | undefined>()
      .int()
      .min(0)
      .default(0)
      .describe('Index of the first item wanted, counted from 0.'),
  }
}

/** A boolean in a query string in any spelling the clients use: true, false, True, False, 1, 0, yes, no. */
export const queryBoolean = z.union([z.boolean(), z.string()]).transform((value, context) => {
  if (typeof value === 'boolean') return value
  const text = value.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  if (['false', '0', 'no', 'off', ''].includes(text)) return false
  context.addIssue({ code: 'custom', message: `“${cutText(value)}” is neither true nor false.` })
  return z.NEVER
})

/** Sort direction, in any letter case. */
export const sortOrder = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['asc', 'desc']))
