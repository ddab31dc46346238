import { lazy, type LazyExoticComponent } from 'react'
import type { Tile } from '../../contract/index.ts'
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
    label: chartLabel,
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

function chartLabel({ basicChartType, series }: Tile): string {
  if (basicChartType === 'seasonality') return 'Seasonality chart'
  const drawn = Array.isArray(series)
    ? new Set(series.map((each: unknown) => (each as { chartType?: unknown } | null)?.chartType))
    : new Set()
  if (drawn.size !== 1) return drawn.size === 0 ? 'Line chart' : 'Composed chart'
  return (
    { area: 'Area chart', bars: 'Bar chart', scatter: 'Scatter chart' }[String([...drawn][0])] ?? 'Line chart'
  )
}
