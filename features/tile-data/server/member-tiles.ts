import { getDataPrepByName } from '@headwater/preps/contract'
import type { Preps } from '@headwater/preps/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import { tileErrors, type InsightContent } from '../contract/index.ts'
import { appliedInsight, type PageChoices } from '../core/insight/applied-insight.ts'
import { queryOfPart } from '../core/insight/part-query.ts'
import type { RowPreview } from '../core/insight/row-preview.ts'
import { requirePermission } from './require-permission.ts'
import type { OpenTiles } from './send-tile-data.ts'
import type { TileDataService, TileReader } from './tile-data-service.ts'

/** Choices of a member on the page of an insight. */
export type MemberChoices = PageChoices & { preview?: RowPreview | undefined }

/** Opens tiles of a definition for a signed-in user. */
export type OpenMemberTiles = (
  principal: Principal,
  content: InsightContent,
  choices: MemberChoices,
) => OpenTiles

/** Creates the reader of a signed-in user, with the access of that user. */
export function createMemberReader({
  preps,
  takeTurn,
}: {
  preps: Pick<Preps, 'get'>
  takeTurn: Symbols['acquireSlot']
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

/** Creates the function that opens tiles of a stored or unsaved definition for a signed-in user. */
export function createMemberTiles({
  tileData,
  readerOf,
}: {
  tileData: Pick<TileDataService, 'read'>
  readerOf: (principal: Principal) => TileReader
}): OpenMemberTiles {
  return (principal, content, { preview, ...choices }) => {
    const insight = appliedInsight(content, choices)
    return {
      groupLabel: (name) => name,
      async read(tile) {
        const part = queryOfPart(tile, insight, preview)
        if (part === undefined) throw tileErrors.tileNotFound()
        return tileData.read(part, tile, { ...readerOf(principal), withinRanges: true })
      },
    }
  }
}
