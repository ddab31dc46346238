import { createContext, useContext, useEffect } from 'react'
import type { ExportTable } from './export-table.ts'

/** What a tile, or a header box, can leave the page as. What it is made of is made only when it is asked for. */
export interface TileExport {
  /** `loading` until its data are here; `failed` with the reason in `problem`. */
  state: 'ready' | 'loading' | 'failed'
  problem?: string | undefined
  /** Which of its rows it has, as a sentence for people; absent = all of them. */
  omission?: string | undefined
  /** The range that the page chose for it, in words; absent = it has its own. */
  range?: string | undefined
  /** Its rows. */
  table?: (() => ExportTable | Promise<ExportTable>) | undefined
  /** What it draws; `printed`: below its title on paper, in a column of that many CSS pixels. */
  picture?: ((printed?: { width: number }) => Promise<Blob>) | undefined
  /** What it draws as an SVG document. */
  vector?: (() => Promise<string>) | undefined
  /** Its text as HTML that is safe to show. */
  html?: (() => string) | undefined
  /** One line of text. */
  figure?: (() => string) | undefined
  /** Why it is not printed, in words for people. */
  note?: string | undefined
}

/** What the tiles of a page can leave it as, by their ids. */
export interface TileExports {
  register: (id: string, exported: TileExport) => void
  forget: (id: string, exported: TileExport) => void
  find: (id: string) => TileExport | undefined
}

/** An empty list of what tiles can leave the page as. */
export function createTileExports(): TileExports {
  const known = new Map<string, TileExport>()
  return {
    register: (id, exported) => void known.set(id, exported),
    forget(id, exported) {
      if (known.get(id) === exported) known.delete(id)
    },
    find: (id) => known.get(id),
  }
}

/** Where tiles tell what they can leave the page as, and what can be done with it. */
export interface ExportHost {
  exports: TileExports
  /** Whether all tiles load their data, even those far from the window. */
  wholeInsight: boolean
  /** Opens the dialog that saves a tile into the lake; undefined for those who may not. */
  saveToLake: ((tileId: string) => void) | undefined
}

const nowhere: ExportHost = { exports: createTileExports(), wholeInsight: false, saveToLake: undefined }

export const ExportHostContext = createContext<ExportHost>(nowhere)

/** Where tiles tell what they can leave the page as. */
export function useExportHost(): ExportHost {
  return useContext(ExportHostContext)
}

/** Tells what a tile can leave the page as, for as long as it is shown. */
export function useTileExport(tileId: string, exported: TileExport): void {
  const { exports } = useExportHost()
  useEffect(() => {
    exports.register(tileId, exported)
    return () => exports.forget(tileId, exported)
  })
}
