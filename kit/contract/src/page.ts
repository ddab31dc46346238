import { z } from 'zod'
import { cutText } from './error.ts'

/** Default maximum page size of a list. */
export const maxPageSize = 1000
/** Default page size. */
export const defaultPageSize = 100

/** Returns the schema of a page of a list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    from: z.int().min(0).describe('Index of the first item of this page among all matches, counted from 0.'),
    totalSize: z.int().min(0).describe('Number of all matches, independent of the page size.'),
    items: z.array(item).describe('The items of this page, in the requested order.'),
  })
}

/** Type of a page of a list. */
export interface Page<T> {
  /** Index of the first item among all matches, counted from 0. */
  from: number
  /** Number of all matches. */
  totalSize: number
  /** The items of this page. */
  items: T[]
}

/**
 * Returns the query parameters of a list: `size` (1 to `max`, default 100) and `from` (default 0). Accepts the text
 * values of a URL.
 */
export function pageQuery(max = maxPageSize) {
  return {
    size: z.coerce
      .number<string | number | undefined>()
      .int()
      .min(1)
      .max(max)
      .default(Math.min(defaultPageSize, max))
      .describe(`Number of items per page, 1 to ${max}.`),
    from: z.coerce
      .number<string | number | undefined>()
      .int()
      .min(0)
      .default(0)
      .describe('Index of the first item to return, counted from 0.'),
  }
}

/** A boolean in a query string, in any spelling that clients use: true, false, True, False, 1, 0, yes, no. */
export const queryBoolean = z.union([z.boolean(), z.string()]).transform((value, context) => {
  if (typeof value === 'boolean') return value
  const text = value.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  if (['false', '0', 'no', 'off', ''].includes(text)) return false
  context.addIssue({ code: 'custom', message: `“${cutText(value)}” is neither true nor false.` })
  return z.NEVER
})

/** Sort direction, regardless of case. */
export const sortOrder = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['asc', 'desc']))
