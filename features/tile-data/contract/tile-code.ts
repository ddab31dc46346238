import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { readInsights } from './read-insights.ts'

/** Maximum length of the code of a tile, in characters. */
export const maxCodeLength = 500_000
/** Maximum number of rows that the code of a tile receives. */
export const maxCodeRows = 5000
/** Time limit for the code of a tile, in seconds. */
export const codeSeconds = 10

const cell = z.union([z.string(), z.number(), z.null()])

/** Runs the Python code of a tile. */
export const runTileCode = defineRoute({
  name: 'runTileCode',
  method: 'POST',
  isAudited: false,
  path: '/insights/code',
  summary: `Runs the Python of a code tile in a sandbox without network, for at most ${codeSeconds} seconds. The tile shows what the code prints.`,
  permission: readInsights,
  body: z.object({
    code: z
      .string()
      .max(maxCodeLength, `Code can have at most ${maxCodeLength.toLocaleString('en')} characters.`)
      .describe('The script. The variable `data` contains the rows of the tile.'),
    data: z
      .object({
        columns: z
          .array(
            z.object({
              name: z.string().describe('Name of the column.'),
              kind: z.string().describe('`symbol`, `time`, `number` or `text`.'),
            }),
          )
          .max(1000)
          .describe('The columns, in order; at most 1000.'),
        rows: z
          .array(z.array(cell).max(1000))
          .max(maxCodeRows)
          .describe('Rows as wide as the columns; null is an empty cell.'),
      })
      .nullable()
      .default(null)
      .describe('Columns and rows of the tile, newest first; null for a tile without data.'),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({
    output: z.string().describe('The printed text.'),
    error: z
      .string()
      .nullable()
      .describe('Reason why the code failed, as text for users; null if it succeeded.'),
  }),
  errors: ['codeCannotRun'],
})
