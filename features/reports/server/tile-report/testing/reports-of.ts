import { createGroups } from '@headwater/groups/server'
import { createItems } from '@headwater/items/server'
import { createJobQueue } from '@headwater/jobs'
import { createPreps, dataPrepLane } from '@headwater/preps/server'
import { createSchedules } from '@headwater/schedules/server'
import type { Session, TestServer } from '@headwater/server/testing'
import { systemClock, type Clock, type Principal } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { createInsights } from '@headwater/insights/server'
import { createTileData } from '@headwater/tile-data/server'
import type { TileReport } from '../report-tile.ts'
import { createTileReports, type ReportRequest } from '../tile-reports.ts'

/** Reads reports of insights of a running server, with the access of a session. */
export type ReadReport = (
  session: Session,
  about: Omit<ReportRequest, 'choices'>,
  /** `without`: entitlements to remove from the session. */
  options?: { without?: readonly RegExp[] },
) => Promise<TileReport>

/** Creates a reader of reports with its own features on the database, files and series of a test server. */
export function reportsOf(server: TestServer, clock: Clock = systemClock): ReadReport {
  const { database, files, symbols, statuses, logs, accounts } = server.running.platform
  const lanes = { default: { capacity: 1 }, [dataPrepLane]: { capacity: 1 } }
  const queue = createJobQueue({ pool: database.pool, lanes, warn: () => undefined })
  const groups = createGroups({
    database,
    clock,
    jobs: queue,
    favoriteGroupNames: async () => [],
  })
  const findPrincipal = (userId: number) => accounts.findPrincipal(userId)
  const items = createItems({ database })
  const preps = createPreps({
    database,
    clock,
    groups: groups.access,
    items,
    symbols,
    files,
    statuses,
    logs,
    schedules: createSchedules({ database, clock, log: silentLog() }),
    queue,
    findPrincipal,
  })
  const tiles = createTileData({
    data: symbols.data,
    takeTurn: symbols.acquireSlot,
    groups,
    preps,
    findSandbox: async () => ({ available: false, reason: 'Reports run no code.' }),
    clock,
    log: silentLog(),
  })
  const insights = createInsights({
    database,
    clock,
    log: silentLog(),
    files,
    groups,
    items,
    tasks: { findRunnable: () => Promise.reject(new Error('Reports run no tasks.')) },
    tiles,
    audiences: { find: async () => new Map(), publicIds: async () => [] },
    groupsNotAllowed: async () => [],
  })
  const reports = createTileReports({
    insightAccess: insights.access,
    insightFiles: insights.insightFiles,
    readModel: insights.readModel,
    groups,
    files,
    tileData: tiles.data,
    readerOf: tiles.readerOf,
    findPrincipal,
    findUserId: async (userName) => (await accounts.findUserByName(userName))?.userId,
    clock,
    log: silentLog(),
  })
  return async (session, about, { without = [] } = {}) => {
    const principal = await principalOf(session)
    const can: Principal['can'] = (resource, mode) =>
      without.every((lacking) => !lacking.test(resource)) && principal.can(resource, mode)
    return reports.read({ ...principal, can }, about)
  }

  async function principalOf({ userName }: Session): Promise<Principal> {
    const user = await accounts.findUserByName(userName)
    return (await findPrincipal(user!.userId))!
  }
}
