import type { StoredSeries } from './data-query-store.ts'
import { symbolDigest } from './symbol-digest.ts'

/** Maximum number of concurrent statements per group; later lookups wait for the next statement. */
const maxStatements = 2
/** Maximum number of symbols per statement. */
const maxSymbols = 1000

/** Returns symbols of one group by the digests of their keys; unknown ones are omitted. */
type LookUp = (groupId: number, digests: readonly Buffer[]) => Promise<StoredSeries[]>

interface GroupLookups {
  /** Symbols for the next statement, by digest in hexadecimal. */
  waiting: Map<string, { digest: Buffer; result: PromiseWithResolvers<StoredSeries | undefined> }>
  statements: number
}

/**
 * Returns a lookup that merges concurrent calls: symbols requested while statements run share the next statement,
 * because a statement for ten symbols takes little longer than a statement for one. A statement starts only after all
 * calls that it serves.
 */
export function batchLookups(lookUp: LookUp): LookUp {
  const groups = new Map<number, GroupLookups>()

  function openGroup(groupId: number): GroupLookups {
    const group = groups.get(groupId) ?? { waiting: new Map(), statements: 0 }
    groups.set(groupId, group)
    return group
  }

  async function runBatch(groupId: number, batch: GroupLookups['waiting']): Promise<void> {
    try {
      const digests = [...batch.values()].map(({ digest }) => digest)
      const result = new Map(
        (await lookUp(groupId, digests)).map((series) => [symbolDigest(series.keys).toString('hex'), series]),
      )
      for (const [key, { result: settle }] of batch) settle.resolve(result.get(key))
    } catch (error) {
      for (const { result } of batch.values()) result.reject(error)
    }
  }

  function next(groupId: number, group: GroupLookups): void {
    while (group.statements < maxStatements && group.waiting.size > 0) {
      const batch = new Map([...group.waiting].slice(0, maxSymbols))
      for (const key of batch.keys()) group.waiting.delete(key)
      group.statements++
      void runBatch(groupId, batch).finally(() => {
        group.statements--
        next(groupId, group)
      })
    }
    if (group.statements === 0) groups.delete(groupId)
  }

  return async (groupId, digests) => {
    // A call that fills a whole statement does not benefit from waiting.
    if (digests.length >= maxSymbols) return lookUp(groupId, digests)
    const group = openGroup(groupId)
    const result = digests.map((digest) => {
      const key = digest.toString('hex')
      const waiting = group.waiting.get(key) ?? { digest, result: Promise.withResolvers() }
      group.waiting.set(key, waiting)
      return waiting.result.promise
    })
    next(groupId, group)
    const each = new Set(await Promise.all(result))
    each.delete(undefined)
    return [...each] as StoredSeries[]
  }
}
