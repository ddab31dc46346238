import { AppError } from '@headwater/contract'
import { groupErrors } from '@headwater/groups/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { Clock, Executor, Log, Principal } from '@headwater/server-kit'
import { listRefused, symbolRemovalErrors, type SymbolMap } from '../contract/index.ts'
import type { IngestStore } from './ingest-store.ts'
import { symbolDigest } from './symbol-digest.ts'
import type { SymbolsRemovalStore } from './symbols-removal-store.ts'

export interface SymbolsRemovalDependencies {
  store: SymbolsRemovalStore
  ledger: Pick<IngestStore, 'transaction' | 'lockGroup'>
  access: GroupAccess
  /** Has the points of removed symbols of a group taken away, as part of a transaction. */
  clearPoints: (groupId: number, executor: Executor) => Promise<void>
  clock: Clock
  log: Log
}

export type SymbolsRemovalService = ReturnType<typeof createSymbolsRemovalService>

/** The rules by which symbols are removed. */
export function createSymbolsRemovalService(dependencies: SymbolsRemovalDependencies) {
  const { store, ledger, access, clearPoints, clock, log } = dependencies
  return {
    /**
     * Removes symbols, all or none. They are gone from every answer at once; their points leave the engine by a job of the same
     * transaction, so that a crash in between changes nothing.
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
        const found = await store.find(executor, groupId, digests)
        const known = new Map(found.map((symbol) => [symbol.digest.toString('hex'), symbol]))
        checkAllFound(groupName, wanted, known)
        if (checkTimeSeries) checkNoPoints(wanted, known)
        const ids = found.map((symbol) => symbol.id)
        await store.remove(executor, { groupId, symbolIds: ids, userId: principal.userId, at: clock.now() })
        await clearPoints(groupId, executor)
        return ids
      })
      log.info({ userId: principal.userId, groupId, symbols: symbolIds.length }, 'a user removed symbols')
      return { removed: symbolIds.length }
    },
  }
}

type Wanted = ReadonlyMap<string, { keys: SymbolMap; index: number }>

function checkAllFound(groupName: string, wanted: Wanted, known: ReadonlyMap<string, unknown>): void {
  const missing = [...wanted].filter(([digest]) => !known.has(digest)).map(([, symbol]) => symbol)
  if (missing.length === 0) return
  const first = textOf(missing[0]!.keys)
  throw withList(
    symbolRemovalErrors.symbolsNotFound({ groupName, count: missing.length, first }),
    missing,
    'is not there',
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
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
