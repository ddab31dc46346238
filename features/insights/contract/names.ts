import { z } from 'zod'

/** Returns whether a text can be stored, which means that it contains no NUL characters and no unpaired surrogates. */
export function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
/** Message for text that {@link storable} rejects. */
export const notStorable = 'This text contains characters that cannot be stored.'

/** Name of an insight or template in a request: 1 to 255 characters, without `.json`. */
export const nameText = z
  .string()
  .min(1)
  .max(255)
  .refine(storable, notStorable)
  .describe('Name of the insight, without `.json`.')
/** Name of a group in a request: 1 to 200 characters. */
export const groupText = z
  .string()
  .min(1)
  .max(200)
  .refine(storable, notStorable)
  .describe('Name of the group.')
