import { abortedByClose, type Clock, type Log, type Router } from '@headwater/server-kit'
import { getDraftTileData, runTileCode } from '../contract/index.ts'
import type { CodeService } from './code-service.ts'
import type { OpenMemberTiles } from './member-tiles.ts'
import { sendTileData } from './send-tile-data.ts'

/** Connects the routes of tiles to their services. */
export function registerTileDataRoutes(
  router: Router,
  { openTiles, code, log, clock }: { openTiles: OpenMemberTiles; code: CodeService; log: Log; clock: Clock },
): void {
  router.add(getDraftTileData, async ({ body: { tiles, content, ...choices } }, context) => {
    const open = openTiles(context.principal, content, choices)
    return sendTileData(context, tiles, { open, path: getDraftTileData.path, log, clock })
  })
  router.add(runTileCode, ({ body }, { principal, reply }) =>
    code.run(principal.userId, body, abortedByClose(reply.raw).signal),
  )
}
