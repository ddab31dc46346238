import { AppError, cutText } from '@headwater/contract'
import { groupErrors } from '@headwater/groups/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { Clock, Executor, Log, Principal } from '@headwater/server-kit'
import { listRefused, symbolRemovalErrors, type SymbolMap } from '../contract/index.ts'
import type { IngestStore } from './ingest-store.ts'
import { symbolDigest } from './symbol-digest.ts'
import type { SymbolsRemovalStore } from './symbols-removal-store.ts'

/** Dependencies of the removal service. */
export interface SymbolsRemovalDependencies {
  /** Removes symbols. */
  store: SymbolsRemovalStore
  /** Runs transactions and locks groups. */
  ledger: Pick<IngestStore, 'transaction' | 'lockGroup'>
  /** Checks access to groups. */
  access: GroupAccess
  /** Enqueues the removal of points of removed symbols of a group, in a transaction. */
  clearPoints: (groupId: number, executor: Executor) => Promise<void>
  /** Whether removed symbols can be restored. */
  keepsDeleted: boolean
  /** Time of the removal. */
  clock: Clock
  /** Log of removals. */
  log: Log
}

/** The service that removes symbols. */
export type SymbolsRemovalService = ReturnType<typeof createSymbolsRemovalService>

/** Creates the service that removes symbols. */
export function createSymbolsRemovalService(dependencies: SymbolsRemovalDependencies) {
  const { store, ledger, access, clearPoints, keepsDeleted, clock, log } = dependencies
  return {
    /**
     * Removes symbols, all or none, to the trash if the installation has one. They disappear from all results
     * immediately. Their points stay in the engine while they can be restored. Otherwise a job that is enqueued in the
     * same transaction removes them, even after a crash.
     */
    async remove(
      principal: Principal,
      request: { groupName: string; symbols: readonly SymbolMap[]; checkTimeSeries: boolean },
    ): Promise<{ removed: number }> {
      const { groupName, symbols, checkTimeSeries } = request
      const { id: groupId } = await access.getGroup(principal, groupName, 'RW')
      const wanted = new Map(
        symbols.map((keys, index) => [symbolDigest(keys).toString('hex'), { keys, index }]),
      )
      const symbolIds = await ledger.transaction(async (executor) => {
        if (!(await ledger.lockGroup(executor, groupId))) throw groupErrors.groupNotFound({ name: groupName })
        const digests = [...wanted.keys()].map((digest) => Buffer.from(digest, 'hex'))
        const stored = await store.find(executor, groupId, digests)
        const known = new Map(stored.map((symbol) => [symbol.digest.toString('hex'), symbol]))
        checkAllExist(groupName, wanted, known)
        if (checkTimeSeries) checkNoPoints(wanted, known)
        const ids = stored.map((symbol) => symbol.id)
        await store.remove(executor, {
          groupId,
          symbolIds: ids,
          userId: principal.userId,
          at: clock.now(),
          isRestorable: keepsDeleted,
        })
        if (!keepsDeleted) await clearPoints(groupId, executor)
        return ids
      })
      log.info({ userId: principal.userId, groupId, symbols: symbolIds.length }, 'a user removed symbols')
      return { removed: symbolIds.length }
    },
  }
}

type Wanted = ReadonlyMap<string, { keys: SymbolMap; index: number }>

function checkAllExist(groupName: string, wanted: Wanted, known: ReadonlyMap<string, unknown>): void {
  const missing = [...wanted].filter(([digest]) => !known.has(digest)).map(([, symbol]) => symbol)
  if (missing.length === 0) return
  const first = textOf(missing[0]!.keys)
  throw withList(
    symbolRemovalErrors.symbolsNotFound({ groupName, count: missing.length, first }),
    missing,
    'does not exist',
  )
}

function checkNoPoints(wanted: Wanted, known: ReadonlyMap<string, { hasPoints: boolean }>): void {
  const filled = [...wanted].filter(([digest]) => known.get(digest)?.hasPoints).map(([, symbol]) => symbol)
  if (filled.length === 0) return
  const first = textOf(filled[0]!.keys)
  throw withList(
    symbolRemovalErrors.symbolsHavePoints({ count: filled.length, first }),
    filled,
    'has time series',
  )
}

function withList(
  error: AppError,
  symbols: readonly { keys: SymbolMap; index: number }[],
  why: string,
): AppError {
  const entries = symbols.map(({ keys, index }) => ({ index, message: `${textOf(keys)} ${why}.` }))
  return new AppError(error.code, error.status, error.message, listRefused(entries))
}

function textOf(keys: SymbolMap): string {
  const text = Object.entries(keys)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
  return cutText(text, 200)
}
