import type { InsightContent } from '../contract/index.ts'
import { publicContent } from '../contract/index.ts'
import { shownSeries, type ShownSeries } from './shown-series.ts'

/** What visitors are shown of a version of an insight: all of it, or the first tiles. */
export interface OpenedDefinition {
  content: InsightContent
  /** What its tiles ask for, saved data preps left out. */
  series: readonly ShownSeries[]
}

/** Definitions of public insights as they were read last. A version never changes, so what was read of it stays true. */
export interface OpenedDefinitions {
  /**
   * The definition of a version, read by `read` when it is not there.
   * @returns undefined when it cannot be read as one
   */
  whole(
    version: { fid: string; sizeBytes: number },
    read: () => Promise<InsightContent | undefined>,
  ): Promise<InsightContent | undefined>
  /** What visitors see of a definition that `whole` gave; `tiles` before the form, undefined = all. */
  shown(whole: InsightContent, tiles: number | undefined): OpenedDefinition
}

/** Keeps definitions of together `maxBytes` of JSON, those that were used last. */
export function createOpenedDefinitions(maxBytes: number): OpenedDefinitions {
  const kept = new Map<string, { sizeBytes: number; content: Promise<InsightContent | undefined> }>()
  const parts = new WeakMap<InsightContent, Map<number | undefined, OpenedDefinition>>()
  let keptBytes = 0

  function forget(fid: string): void {
    keptBytes -= kept.get(fid)?.sizeBytes ?? 0
    kept.delete(fid)
  }

  return {
    whole({ fid, sizeBytes }, read) {
      const known = kept.get(fid)
      forget(fid)
      const content = known?.content ?? read()
      kept.set(fid, { sizeBytes, content })
      keptBytes += sizeBytes
      // What could not be read for now is asked for again.
      if (known === undefined)
        content.catch(() => {
          if (kept.get(fid)?.content === content) forget(fid)
        })
      for (const [oldest] of kept) {
        if (keptBytes <= maxBytes || oldest === fid) break
        forget(oldest)
      }
      return content
    },
    shown(whole, tiles) {
      const byTiles = parts.get(whole) ?? new Map<number | undefined, OpenedDefinition>()
      parts.set(whole, byTiles)
      let found = byTiles.get(tiles)
      if (found === undefined) {
        const content = publicContent(whole, tiles)
        found = { content, series: shownSeries(content) }
        byTiles.set(tiles, found)
      }
      return found
    },
  }
}
