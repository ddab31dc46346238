import { z } from 'zod'

/** Names in the `fields` of an upload that steer it and are not kept as metadata. */
export const uploadFlags = ['PARTIAL_UPDATE', 'AVOID_DUPLICATES', 'SKIP_METADATA'] as const
export type UploadFlag = (typeof uploadFlags)[number]

/** Names in the `fields` of an upload that hold the range of its dates, in UTC epoch milliseconds. */
export const rangeMarkers = ['dataStart', 'dataEnd'] as const

/** Most metadata fields of one file. */
export const maxFields = 1000
/** Most characters of all metadata of one file, names and values together. */
export const maxMetadataCharacters = 64_000

const fieldValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string().max(4000)).max(1000), z.null()])
  .transform((value) => {
    if (value === null) return ''
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  })
  .pipe(z.union([z.string().max(4000, 'A metadata value has at most 4000 characters.'), z.array(z.string())]))

/** One metadata field as it travels to the server. */
export const fieldPair = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'A metadata field needs a name.')
    .max(128, 'The name of a metadata field has at most 128 characters.')
    .describe('Name of the field, or one of the upload flags.'),
  value: fieldValue.describe('Its value: text (numbers and booleans are taken as text), or a list of texts.'),
})
export type FieldPair = z.output<typeof fieldPair>

/** Metadata as it travels to the server: a list of name/value pairs. */
export const fieldPairs = z
  .array(z.unknown())
  .max(maxFields, `A file has at most ${maxFields} metadata fields.`)
  .pipe(z.array(fieldPair))
  .refine(
    (pairs) =>
      pairs.reduce((sum, pair) => sum + pair.name.length + textLength(pair.value), 0) <=
      maxMetadataCharacters,
    `The metadata of a file has at most ${maxMetadataCharacters} characters.`,
  )

/** Metadata as the server answers with it: name to value; a list for fields of the type array. */
export const fieldMap = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
export type FieldMap = z.infer<typeof fieldMap>

/** Turns metadata from its map into the pairs that are sent. */
export function toFieldPairs(fields: FieldMap): FieldPair[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value }))
}

function textLength(value: string | string[]): number {
  return typeof value === 'string' ? value.length : value.reduce((sum, text) => sum + text.length, 0)
}
