import { z } from 'zod'

/** Maximum number of characters of a value. */
export const maxSecretLength = 8_192
/** Minimum length of a value, in characters. Shorter values could not be redacted reliably in the output of scripts. */
export const minSecretLength = 8

/** Name of a secret. */
export const secretName = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/,
    'The name of a secret must have 1 to 100 letters, digits, dots, hyphens or underscores, and begin with a letter or digit.',
  )

/** Value of a secret. No response contains one. */
export const secretValue = z
  .string()
  .min(minSecretLength, `A secret must have at least ${minSecretLength} characters.`)
  .max(maxSecretLength, `A secret can have at most ${maxSecretLength.toLocaleString('en')} characters.`)
  .refine((text) => !text.includes('\u0000'), "A secret can't contain NUL characters.")

/** A stored secret, without its value. */
export const secret = z.object({
  name: z.string().describe('Name, unique for its owner.'),
  groupName: z
    .string()
    .nullable()
    .describe('Group that owns the secret; null for a personal secret of the caller.'),
  modifyDate: z.string().describe('Time when the value was stored, ISO 8601 in UTC without a zone.'),
  modifiedBy: z.string().describe('Name of the user who stored the value.'),
})
/** A stored secret, without its value. */
export type Secret = z.infer<typeof secret>
