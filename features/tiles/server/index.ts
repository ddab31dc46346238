import type { Groups } from '@headwater/groups/server'
import type { Preps } from '@headwater/preps/server'
import type { SandboxAvailability } from '@headwater/sandbox'
import type { Clock, Log, Principal, Router } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import { createCodeService } from './code-service.ts'
import { createMemberReader, createMemberTiles, type OpenMemberTiles } from './tile-data/member-tiles.ts'
import {
  createTileDataService,
  type TileDataService,
  type TileReader,
} from './tile-data/tile-data-service.ts'
import { registerTilesRoutes } from './tiles-routes.ts'

export type { MemberChoices, OpenMemberTiles } from './tile-data/member-tiles.ts'
export { requirePermission } from './tile-data/require-permission.ts'
export { sendTileData, type OpenTiles } from './tile-data/send-tile-data.ts'
export type { TileDataService, TileReader, TileResult, TileResults } from './tile-data/tile-data-service.ts'

/** What tiles use of other features. */
export interface TilesDependencies {
  data: Symbols['data']
  takeTurn: Symbols['acquireSlot']
  groups: Pick<Groups, 'access'>
  preps: Pick<Preps, 'get'>
  /** The sandbox for the code of tiles, or why there is none. */
  findSandbox: () => Promise<SandboxAvailability>
  clock: Clock
  log: Log
}

/** What other features use of tiles. */
export interface Tiles {
  registerRoutes(router: Router): void
  data: TileDataService
  /** Creates the reader of a signed-in user. */
  readerOf(this: void, principal: Principal): TileReader
  /** Opens tiles of a definition for a signed-in user. */
  open: OpenMemberTiles
}

/** Creates the feature. It owns no table. */
export function createTiles({
  data,
  takeTurn,
  groups,
  preps,
  findSandbox,
  clock,
  log,
}: TilesDependencies): Tiles {
  const tileData = createTileDataService({ data, groups })
  const readerOf = createMemberReader({ preps, takeTurn })
  const open = createMemberTiles({ tileData, readerOf })
  const code = createCodeService({ findSandbox })
  return {
    registerRoutes: (router) => registerTilesRoutes(router, { openTiles: open, code, log, clock }),
    data: tileData,
    readerOf,
    open,
  }
}
