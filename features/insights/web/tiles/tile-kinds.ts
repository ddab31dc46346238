import { lazy, type LazyExoticComponent } from 'react'
import type { Tile } from '../../contract/index.ts'
import { chartName } from './chart/chart-name.ts'
import type { TileEditor, TileView } from './tile-view.ts'

/** A kind of tile that can be shown and edited. */
export interface TileKind {
  /** What the panel of the builder is called. */
  label: (tile: Tile) => string
  View: LazyExoticComponent<TileView>
  Editor: LazyExoticComponent<TileEditor>
  /** What a tile looks like while its code or data are on the way. */
  shape: 'chart' | 'rows' | 'text'
}

const kinds: Readonly<Record<string, TileKind>> = {
  Chart: {
    label: chartName,
    View: lazy(() => import('./chart/ChartTile.tsx')),
    Editor: lazy(() => import('./chart/ChartEditor.tsx')),
    shape: 'chart',
  },
  Table: {
    label: () => 'Table',
    View: lazy(() => import('./table/TableTile.tsx')),
    Editor: lazy(() => import('./table/TableEditor.tsx')),
    shape: 'rows',
  },
  Text: {
    label: () => 'Text',
    View: lazy(() => import('./text/TextTile.tsx')),
    Editor: lazy(() => import('./text/TextEditor.tsx')),
    shape: 'text',
  },
}

/** The kind of a tile; undefined for one that cannot be shown. */
export function tileKindOf({ type }: Pick<Tile, 'type'>): TileKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined
}
