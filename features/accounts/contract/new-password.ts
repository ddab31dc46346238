import { z } from 'zod'

/** A new password of a user. */
export const newPassword = z
  .string()
  .min(10, 'A password must have at least 10 characters.')
  .max(200, 'A password can have at most 200 characters.')
  .describe(
    'The new password, 10 to 200 characters; not a common password and not the e-mail address of the user.',
  )
