import { AppError, invalidInput, cutText, isPlainLine } from '@headwater/contract'
import { trashErrors, type DeletedObject } from '@headwater/groups/contract'
import { purgeInBatches, type GroupAccess, type TrashBin } from '@headwater/groups/server'
import { formatUtcSeconds, type Executor, type Principal } from '@headwater/server-kit'
import type { SeriesEngine } from '@headwater/timeseries'
import { symbolMap, type SymbolMap } from '../contract/index.ts'
import type { FormulasStore } from './formulas-store.ts'
import type { IngestStore } from './ingest-store.ts'
import type { RemovedSymbol, TrashedSymbol, TrashedSymbolsStore } from './trashed-symbols-store.ts'

/** Dependencies of the trash of symbols. */
export interface SymbolsTrashDependencies {
  /** Stores removed symbols. */
  store: TrashedSymbolsStore
  /** Runs transactions, locks groups and sets ranges. */
  ledger: Pick<IngestStore, 'transaction' | 'lockGroup' | 'setRanges'>
  /** Serializes saves of formulas. */
  formulas: Pick<FormulasStore, 'lockSaving'>
  /** Checks access to groups. */
  access: GroupAccess
  /** Reads the points of symbols. */
  engine: Pick<SeriesEngine, 'statistics'>
  /** Enqueues the removal of points of permanently removed symbols of a group, in a transaction. */
  clearPoints: (groupId: number, executor: Executor) => Promise<void>
}

/** Creates the trash of symbols. Users with write access to a group see and restore its removed symbols. */
export function createSymbolsTrash(dependencies: SymbolsTrashDependencies): TrashBin {
  const { store, ledger, formulas, access, engine, clearPoints } = dependencies

  async function require(principal: Principal, id: string): Promise<TrashedSymbol> {
    const symbol = /^\d{1,15}$/.test(id) ? await store.find(Number(id)) : undefined
    if (symbol === undefined) throw trashErrors.notInTrash()
    try {
      await access.getGroupById(principal, symbol.groupId, 'RW')
    } catch (error) {
      // A caller who cannot read the group receives no information about its symbols.
      if (error instanceof AppError && error.status === 404) throw trashErrors.notInTrash()
      throw error
    }
    return symbol
  }

  /** Removes symbols of a group from the trash and enqueues the removal of their points. */
  async function forget(groupId: number, ids: readonly number[]): Promise<boolean> {
    return ledger.transaction(async (executor) => {
      await ledger.lockGroup(executor, groupId)
      const groups = await store.forget(executor, ids)
      for (const each of groups) await clearPoints(each, executor)
      return groups.length > 0
    })
  }

  return {
    async list(principal, query) {
      const { symbols, total } = await store.list(await access.scope(principal, 'RW'), query)
      return { total, items: symbols.map(toDeleted) }
    },
    async restore(principal, id, newName) {
      const symbol = await require(principal, id)
      const keys = newName === undefined ? symbol.keys : parseKeys(newName, symbol.keys)
      const { groupId, groupName } = symbol
      const outcome = await ledger.transaction(async (executor) => {
        if (symbol.isFormula) await formulas.lockSaving(executor)
        if (!(await ledger.lockGroup(executor, groupId))) return 'notInTrash'
        const result = await store.restore(executor, { id: symbol.id, groupId, keys })
        if (result !== 'restored' || symbol.isFormula) return result
        // Files that were deleted or restored in the meantime have changed its points.
        const [range] = await engine.statistics(groupId, [symbol.id])
        const limits = { first: range?.firstTimestamp, last: range?.lastTimestamp }
        await ledger.setRanges(executor, [{ sid: symbol.id, ...limits }])
        return result
      })
      if (outcome === 'nameTaken') throw trashErrors.nameTaken({ name: textOf(keys), isSymbol: true })
      if (outcome === 'isCycle')
        throw trashErrors.notRestored({
          reason:
            'The formula would depend on itself, because formulas that were saved in the meantime use it. Change them first.',
        })
      if (outcome === 'notInTrash') throw trashErrors.notInTrash()
      return { id, name: textOf(keys), groupName, isBeingRestored: false }
    },
    async remove(principal, id) {
      const symbol = await require(principal, id)
      if (!(await forget(symbol.groupId, [symbol.id]))) throw trashErrors.notInTrash()
    },
    purge: (before) =>
      purgeInBatches<RemovedSymbol>(
        (except) => store.listRemovedBefore(before, except),
        async (batch) => {
          await forget(
            batch[0]!.groupId,
            batch.map(({ id }) => id),
          )
          return batch
        },
      ),
  }
}

/** Returns the keys of a restored symbol: JSON with the same names and other values. */
function parseKeys(text: string, own: SymbolMap): SymbolMap {
  const refuse = (message: string) => invalidInput([{ field: 'name', message }])
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('Write the keys and values of the symbol as JSON, such as {"Code": "BRENT"}.')
  }
  const parsed = symbolMap.safeParse(value)
  const names = (keys: SymbolMap) => Object.keys(keys).toSorted().join('\n')
  if (!parsed.success || names(parsed.data) !== names(own))
    throw refuse(`Write a value for each of the keys ${Object.keys(own).join(', ')}.`)
  const entries = Object.entries(parsed.data).map(([key, each]) => [key, each.trim()] as const)
  if (entries.some(([, each]) => each === '' || each.length > 1000 || !isPlainLine(each)))
    throw refuse('A value has 1 to 1,000 characters, without control or invisible characters.')
  return Object.fromEntries(entries)
}

function toDeleted(symbol: TrashedSymbol): DeletedObject {
  return {
    id: String(symbol.id),
    name: textOf(symbol.keys),
    keys: symbol.keys,
    groupName: symbol.groupName,
    owner: null,
    deletedBy: symbol.deletedBy,
    deletedAt: formatUtcSeconds(symbol.deletedAt),
    sizeBytes: null,
    content: symbol.isFormula ? 'Formula' : 'Series',
    file: null,
    isBeingRestored: false,
    message: '',
    canRestore: true,
  }
}

function textOf(keys: SymbolMap): string {
  const text = Object.entries(keys)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
  return cutText(text, 300)
}
