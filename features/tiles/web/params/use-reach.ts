import { useQueries } from '@tanstack/react-query'
import type { Tile } from '@headwater/tile-data/contract'
import {
  resultColumns,
  isChosen,
  readTableText,
  resolveSource,
  type TileSource,
  isBoundTo,
  type KnownSources,
  type TileReach,
  tilesReached,
  type ParamSet,
} from '@headwater/tile-data/core'
import { useInsightData, savedPrepQuery, useChoosable, useLoadedFiles } from '@headwater/tile-data/web'

/** Returns which tiles follow a set. It loads saved data preps, except for visitors, but only uses files that tiles have loaded. */
export function useReach(set: ParamSet, tiles: readonly Tile[]): TileReach[] {
  const { content, basket, sets } = useInsightData()
  const { limited } = useChoosable()
  const sources = tiles.flatMap((tile) => {
    if (!isBoundTo(set, tile, content)) return []
    const resolved = resolveSource(tile, content)
    return 'problem' in resolved ? [] : [resolved.source]
  })
  const preps = sources
    .filter((source) => source.kind === 'dataPrep')
    .filter((source, index, all) => all.findIndex((each) => isSame(each, source)) === index)
  const files = sources.filter((source) => source.kind === 'file')
  const prepResults = useQueries({
    queries: preps.map((source) => ({
      ...savedPrepQuery(source.dataPrep),
      enabled: !limited && isChosen({ source, symbols: [] }),
    })),
  })
  const loadedOf = useLoadedFiles(files.map(({ file }) => file))
  const known: KnownSources = {
    symbolsOf: (source) => prepResults[preps.findIndex((each) => isSame(each, source))]?.data?.symbols,
    columnsOf(source) {
      if (source.kind === 'text') return typedColumns(source.text)
      const loaded = loadedOf(source.file)
      return loaded && resultColumns(loaded.result).map(({ name }) => name)
    },
  }
  return tilesReached(set, tiles, { content, basket, sets }, known)
}

function isSame(a: TileSource, b: TileSource): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function typedColumns(text: string): string[] | undefined {
  try {
    return resultColumns(readTableText(text)).map(({ name }) => name)
  } catch {
    return undefined
  }
}
