import { getDataPrepByName } from '@headwater/preps/contract'
import type { Preps } from '@headwater/preps/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import { requirePermission } from '../tile-report/tile-problem.ts'
import type { TileReader } from './tile-data-service.ts'

/** Creates the reader of a signed-in user: they see what they can read themselves. */
export function createMemberReader({
  preps,
  takeTurn,
}: {
  preps: Pick<Preps, 'get'>
  takeTurn: Symbols['takeTurn']
}): (principal: Principal) => TileReader {
  return (principal) => ({
    principals: [principal],
    mode: 'R',
    async findPrep(address) {
      requirePermission(principal, getDataPrepByName)
      const details = await unlessRefused(
        preps.get(principal, address, { withMetadata: false, resolvePattern: false }),
      )
      return details && { details, principals: [principal] }
    },
    takeTurn: (query, signal) => takeTurn(principal, query, signal),
  })
}
