import type { StoredSeries } from './data-query-store.ts'
import { symbolDigest } from './symbol-digest.ts'

/** Statements of one group at a time; what is asked meanwhile goes into the next one. */
const maxStatements = 2
/** Symbols of a statement. */
const maxSymbols = 1000

/** Finds symbols of one group by the digests of their keys; unknown ones are left out. */
type LookUp = (groupId: number, digests: readonly Buffer[]) => Promise<StoredSeries[]>

interface GroupLookups {
  /** For the next statement, by digest in hexadecimal. */
  waiting: Map<string, { digest: Buffer; found: PromiseWithResolvers<StoredSeries | undefined> }>
  statements: number
}

/**
 * The same lookup, which asks for the symbols of all who ask while other statements run at once: a statement for ten symbols takes little longer
 * than one for one. Each statement begins after everybody it answers has asked.
 */
export function gatherLookups(lookUp: LookUp): LookUp {
  const groups = new Map<number, GroupLookups>()

  function openGroup(groupId: number): GroupLookups {
    const group = groups.get(groupId) ?? { waiting: new Map(), statements: 0 }
    groups.set(groupId, group)
    return group
  }

  async function ask(groupId: number, asked: GroupLookups['waiting']): Promise<void> {
    try {
      const digests = [...asked.values()].map(({ digest }) => digest)
      const found = new Map(
        (await lookUp(groupId, digests)).map((series) => [symbolDigest(series.keys).toString('hex'), series]),
      )
      for (const [key, { found: settle }] of asked) settle.resolve(found.get(key))
    } catch (error) {
      for (const { found } of asked.values()) found.reject(error)
    }
  }

  function next(groupId: number, group: GroupLookups): void {
    while (group.statements < maxStatements && group.waiting.size > 0) {
      const asked = new Map([...group.waiting].slice(0, maxSymbols))
      for (const key of asked.keys()) group.waiting.delete(key)
      group.statements++
      void ask(groupId, asked).finally(() => {
        group.statements--
        next(groupId, group)
      })
    }
    if (group.statements === 0) groups.delete(groupId)
  }

  return async (groupId, digests) => {
    // One that fills a statement would only wait.
    if (digests.length >= maxSymbols) return lookUp(groupId, digests)
    const group = openGroup(groupId)
    const found = digests.map((digest) => {
      const key = digest.toString('hex')
      const waiting = group.waiting.get(key) ?? { digest, found: Promise.withResolvers() }
      group.waiting.set(key, waiting)
      return waiting.found.promise
    })
    next(groupId, group)
    const each = new Set(await Promise.all(found))
    each.delete(undefined)
    return [...each] as StoredSeries[]
  }
}
