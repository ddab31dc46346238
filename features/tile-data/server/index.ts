import type { Groups } from '@headwater/groups/server'
import type { Preps } from '@headwater/preps/server'
import type { SandboxAvailability } from '@headwater/sandbox'
import type { Clock, Log, Principal, Router } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import { createCodeService } from './code-service.ts'
import { createMemberReader, createMemberTiles, type OpenMemberTiles } from './member-tiles.ts'
import { createTileDataService, type TileDataService, type TileReader } from './tile-data-service.ts'
import { registerTileDataRoutes } from './tile-data-routes.ts'

export type { MemberChoices, OpenMemberTiles } from './member-tiles.ts'
export { requirePermission } from './require-permission.ts'
export { sendTileData, type OpenTiles } from './send-tile-data.ts'
export type { TileDataService, TileReader, TileResult, TileResults } from './tile-data-service.ts'

/** Dependencies on other features. */
export interface TileDataDependencies {
  /** Runs data queries. */
  data: Symbols['data']
  /** Waits for a slot in the query queue of a user. */
  takeTurn: Symbols['acquireSlot']
  /** Checks access to groups. */
  groups: Pick<Groups, 'access'>
  /** Reads saved data preps. */
  preps: Pick<Preps, 'get'>
  /** Returns the sandbox for the code of tiles, or the reason why it is unavailable. */
  findSandbox: () => Promise<SandboxAvailability>
  /** The current time. */
  clock: Clock
  /** The server log. */
  log: Log
}

/** Interface for other features. */
export interface Tiles {
  /** Adds the routes of tiles. */
  registerRoutes(router: Router): void
  /** Reads the rows of tiles. */
  data: TileDataService
  /** Creates the reader of a signed-in user. */
  readerOf(this: void, principal: Principal): TileReader
  /** Opens tiles of a definition for a signed-in user. */
  open: OpenMemberTiles
}

/** Creates the feature. It owns no tables. */
export function createTileData({
  data,
  takeTurn,
  groups,
  preps,
  findSandbox,
  clock,
  log,
}: TileDataDependencies): Tiles {
  const tileData = createTileDataService({ data, groups })
  const readerOf = createMemberReader({ preps, takeTurn })
  const open = createMemberTiles({ tileData, readerOf })
  const code = createCodeService({ findSandbox })
  return {
    registerRoutes: (router) => registerTileDataRoutes(router, { openTiles: open, code, log, clock }),
    data: tileData,
    readerOf,
    open,
  }
}
