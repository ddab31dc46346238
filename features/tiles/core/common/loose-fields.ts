import { z } from 'zod'

/** A text; what is none becomes empty. */
export const text = z.string().catch('')

/** A colour as `#rrggbb` or a token of the theme such as `--series-1`; what is none counts as absent. */
export const colour = z
  .string()
  .regex(/^(#[0-9a-f]{3,8}|--[a-z0-9-]+)$/i)
  .optional()
  .catch(undefined)

/** A list of which only the items are kept that can be understood. */
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

/** The text of a tile: written in it, or the latest version of a file of the lake. What is none is written in it. */
export const textSource = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('EDITOR') }),
    z.looseObject({
      type: z.literal('FILE'),
      value: z.looseObject({ groupName: z.string(), fileName: z.string() }),
    }),
  ])
  .catch({ type: 'EDITOR' })
export type TextSource = z.output<typeof textSource>

/** A file of the lake as a source; what is none names no file. */
export const fileSource = z
  .looseObject({
    type: z.literal('FILE'),
    value: z.looseObject({ groupName: z.string(), fileName: z.string() }),
  })
  .catch({ type: 'FILE', value: { groupName: '', fileName: '' } })
  .describe('The latest version of a file of the lake.')
