import { z } from 'zod'

/** A string; other values become the empty string. */
export const text = z.string().catch('')

/** A colour as `#rrggbb` or a token of the theme such as `--series-1`; other values count as absent. */
export const colour = z
  .string()
  .regex(/^(#[0-9a-f]{3,8}|--[a-z0-9-]+)$/i)
  .optional()
  .catch(undefined)

/** A list; invalid items are omitted. */
export function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.flatMap((each) => {
        const parsed = item.safeParse(each)
        return parsed.success ? [parsed.data] : []
      }),
    )
}

/** Source of the text of a tile: the tile itself, or the latest version of a file in the lake. Invalid values mean the tile itself. */
export const textSource = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('EDITOR') }),
    z.looseObject({
      type: z.literal('FILE'),
      value: z.looseObject({ groupName: z.string(), fileName: z.string() }),
    }),
  ])
  .catch({ type: 'EDITOR' })
/** A parsed {@link textSource}. */
export type TextSource = z.output<typeof textSource>

/** A file in the lake as a source; invalid values mean no file. */
export const fileSource = z
  .looseObject({
    type: z.literal('FILE'),
    value: z.looseObject({ groupName: z.string(), fileName: z.string() }),
  })
  .catch({ type: 'FILE', value: { groupName: '', fileName: '' } })
  .describe('The latest version of a file of the lake.')
