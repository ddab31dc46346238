import { createContext, useContext, useEffect } from 'react'
import type { ExportTable } from './export-table.ts'

/** Export of a tile or a header box. The contents are created on demand. */
export interface TileExport {
  /** `loading` until its data have arrived; `failed` with the reason in `problem`. */
  state: 'ready' | 'loading' | 'failed'
  /** Error message of the state `failed`. */
  problem?: string | undefined
  /** Sentence about omitted rows. Default: no rows are omitted. */
  omission?: string | undefined
  /** Range of the page. Default: the range of the tile. */
  range?: string | undefined
  /** Its rows. */
  table?: (() => ExportTable | Promise<ExportTable>) | undefined
  /** Creates a picture; `printed`: for print, in a column of this width in CSS pixels. */
  picture?: ((printed?: { width: number }) => Promise<Blob>) | undefined
  /** Creates an SVG document. */
  vector?: (() => Promise<string>) | undefined
  /** Returns its text as sanitized HTML. */
  html?: (() => string) | undefined
  /** Returns one line of text. */
  figure?: (() => string) | undefined
  /** Reason why the tile is not printed, as text for users. */
  note?: string | undefined
}

/** The exports of the tiles of a page by tile id. */
export interface TileExports {
  /** Registers the export of a tile. */
  register: (id: string, exported: TileExport) => void
  /** Removes an export unless another one replaced it. */
  forget: (id: string, exported: TileExport) => void
  /** Finds the export of a tile. */
  find: (id: string) => TileExport | undefined
}

/** Creates an empty registry of exports. */
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

/** Registry and options of the exports of a page. */
export interface ExportHost {
  /** The registry. */
  exports: TileExports
  /** Whether all tiles load their data, even those far from the viewport. */
  wholeInsight: boolean
  /** Opens the dialog that saves a tile to the lake; undefined without permission. */
  saveToLake: ((tileId: string) => void) | undefined
}

const nowhere: ExportHost = { exports: createTileExports(), wholeInsight: false, saveToLake: undefined }

/** The exports of the page. */
export const ExportHostContext = createContext<ExportHost>(nowhere)

/** Returns the registry and options of the exports of the page. */
export function useExportHost(): ExportHost {
  return useContext(ExportHostContext)
}

/** Registers the export of a tile while it is mounted. */
export function useTileExport(tileId: string, exported: TileExport): void {
  const { exports } = useExportHost()
  useEffect(() => {
    exports.register(tileId, exported)
    return () => exports.forget(tileId, exported)
  })
}
