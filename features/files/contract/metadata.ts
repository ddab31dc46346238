import { z } from 'zod'

/** Names in the `fields` of an upload that control it and are not stored as metadata. */
export const uploadFlags = ['PARTIAL_UPDATE', 'AVOID_DUPLICATES', 'SKIP_METADATA'] as const

/** Names in the `fields` of an upload that hold the range of its dates, in UTC epoch milliseconds. */
export const rangeMarkers = ['dataStart', 'dataEnd'] as const

/** Maximum number of metadata fields of one file. */
export const maxFields = 1000
/** Maximum number of characters of all metadata of one file, names and values together. */
export const maxMetadataCharacters = 64_000

/** Returns whether text can be stored: it has no NUL characters and no unpaired surrogates. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
const notStorable = 'Metadata must be well-formed text without NUL characters.'

const fieldText = z
  .string()
  .max(4000, 'A metadata value can have at most 4000 characters.')
  .refine(isStorable, notStorable)

const fieldValue = z.union([
  fieldText,
  z.array(fieldText).max(1000, 'A list in metadata can have at most 1000 items.'),
  z.union([z.number(), z.boolean()]).transform(String),
  z.null().transform(() => ''),
])

/** Schema of one metadata field in requests. */
export const fieldPair = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'A metadata field needs a name.')
    .max(128, 'The name of a metadata field can have at most 128 characters.')
    .refine(isStorable, notStorable)
    .refine((name) => name !== '__proto__', 'A metadata field cannot have the name __proto__.')
    .describe('Name of the field, or one of the upload flags.'),
  value: fieldValue.describe(
    'Its value: a string (numbers and booleans are converted to strings), or a list of strings.',
  ),
})
/** A metadata field and its value, as a type. */
export type FieldPair = z.output<typeof fieldPair>

/** Metadata in requests: a list of name/value pairs. */
export const fieldPairs = z
  .array(z.unknown())
  .max(maxFields, `A file can have at most ${maxFields} metadata fields.`)
  .pipe(z.array(fieldPair))
  // In a separate pipe, which runs only if every field is valid.
  .pipe(
    z
      .custom<FieldPair[]>()
      .refine(
        (pairs) => pairs.reduce((sum, pair) => sum + lengthOf(pair), 0) <= maxMetadataCharacters,
        `The metadata of a file can have at most ${maxMetadataCharacters} characters.`,
      ),
  )

/** Metadata in responses: name to value; a list for fields of the type array. */
export const fieldMap = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
/** Metadata in responses, as a type. */
export type FieldMap = z.infer<typeof fieldMap>

function lengthOf({ name, value }: FieldPair): number {
  const texts = typeof value === 'string' ? [value] : value
  return texts.reduce((sum, text) => sum + text.length, name.length)
}
