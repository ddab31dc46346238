import { z } from 'zod'
import { defineRoute, largeBodyBytes, queryBoolean } from '@headwater/contract'
import { dataKey } from './data-query.ts'

/** Maximum number of symbols removed by one call. */
export const maxRemovedSymbols = 10_000

/** Route that removes symbols. */
export const removeSymbols = defineRoute({
  name: 'removeSymbols',
  method: 'POST',
  path: '/ts/symbol/remove',
  allowsProtoNames: true,
  summary:
    'Removes symbols of a group with all of their points: all listed symbols, or none. Needs write access to the group. A symbol that is uploaded again starts empty. Removed symbols can be restored from the trash for a limited time.',
  permission: { resource: 'Storage/Data', mode: 'RW' },
  allowsRunTokens: true,
  body: z.object({
    groupName: z.string().max(200).describe('The group.'),
    symbols: z
      .array(
        dataKey.shape.symbols.refine(
          (map) => Object.keys(map).length > 0,
          'Name the symbol by its keys and values, such as {"Code": "BRENT"}.',
        ),
      )
      .min(1, 'Name at least one symbol.')
      .max(
        maxRemovedSymbols,
        `At most ${maxRemovedSymbols} symbols are allowed; remove them in several calls.`,
      )
      .describe(
        `Complete keys and values of each symbol, exactly as stored; 1 to ${maxRemovedSymbols} symbols. Equal ones count once.`,
      ),
    checkTimeSeries: queryBoolean
      .default(true)
      .describe(
        'Whether symbols with points are protected: if any of them has points, nothing is removed, and the response is 409 `symbolsHavePoints` with an entry in validationErrors for each such symbol (at most 100). Default true.',
      ),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({ removed: z.int().describe('Number of symbols removed.') }),
  errors: ['groupNotFound', 'groupForbidden', 'symbolsNotFound', 'symbolsHavePoints'],
})

const maxListed = 100

/** Returns an entry of `validationErrors` for each symbol that cannot be removed, at most 100. */
export function listRefused(
  symbols: readonly { index: number; message: string }[],
): { field: string; message: string }[] {
  return symbols.slice(0, maxListed).map(({ index, message }) => ({ field: `symbols[${index}]`, message }))
}
