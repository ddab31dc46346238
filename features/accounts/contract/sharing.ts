import { z } from 'zod'

/** Maximum number of e-mail addresses in a request that shares an object. */
export const maxRecipients = 100

/** An e-mail address in lower case; the error quotes an invalid address. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(320)
  .pipe(z.email({ error: ({ input }) => `“${String(input)}” is not an e-mail address.` }))
