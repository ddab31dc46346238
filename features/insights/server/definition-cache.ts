import { type InsightContent } from '@headwater/tile-data/contract'
import { DefinitionError } from '../contract/index.ts'

/** Cache of insight definitions. Versions never change, so cached definitions stay valid. */
export interface DefinitionCache {
  /**
   * Returns the definition of a version. Calls `read` if it is not cached.
   * @throws the errors of `read`; a DefinitionError is cached as well
   */
  get(
    version: { fid: string; sizeBytes: number },
    read: () => Promise<InsightContent>,
  ): Promise<InsightContent>
}

/** Creates a cache of the most recently used definitions, up to a total of `maxBytes` of JSON. */
export function createDefinitionCache(maxBytes: number): DefinitionCache {
  const cached = new Map<string, { sizeBytes: number; content: Promise<InsightContent> }>()
  let cachedBytes = 0

  function forget(fid: string): void {
    cachedBytes -= cached.get(fid)?.sizeBytes ?? 0
    cached.delete(fid)
  }

  return {
    get({ fid, sizeBytes }, read) {
      const known = cached.get(fid)
      forget(fid)
      const content = known?.content ?? read()
      cached.set(fid, { sizeBytes, content })
      cachedBytes += sizeBytes
      // All other failures can be temporary, so the next request repeats the read.
      if (known === undefined)
        content.catch((error: unknown) => {
          if (!(error instanceof DefinitionError) && cached.get(fid)?.content === content) forget(fid)
        })
      for (const [oldest] of cached) {
        if (cachedBytes <= maxBytes || oldest === fid) break
        forget(oldest)
      }
      return content
    },
  }
}
