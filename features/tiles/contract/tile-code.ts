import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { readInsights } from './read-insights.ts'

/** The longest code of a tile, in characters. */
export const maxCodeLength = 500_000
/** Most rows that code is given. */
export const maxCodeRows = 5000
/** Seconds that code of a tile may run. */
export const codeSeconds = 10

const cell = z.union([z.string(), z.number(), z.null()])

export const runTileCode = defineRoute({
  name: 'runTileCode',
  method: 'POST',
  path: '/insights/code',
  summary: `Runs the Python of a code tile apart from everything else: without network, for at most ${codeSeconds} seconds. What it prints is what the tile shows.`,
  permission: readInsights,
  body: z.object({
    code: z
      .string()
      .max(maxCodeLength, `Code has at most ${maxCodeLength.toLocaleString('en')} characters.`)
      .describe('The script. It finds the rows of the tile as `data`.'),
    data: z
      .object({
        columns: z.array(z.object({ name: z.string(), kind: z.string() })).max(1000),
        rows: z.array(z.array(cell).max(1000)).max(maxCodeRows),
      })
      .nullable()
      .default(null)
      .describe('Columns and rows of the tile, newest first; null for a tile without data.'),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({
    output: z.string().describe('What was printed.'),
    error: z.string().nullable().describe('Why it did not come to its end, in words; null when it did.'),
  }),
  errors: ['codeCannotRun'],
})
