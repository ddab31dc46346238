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
  STATS: {
    label: () => 'Stats',
    View: lazy(() => import('./stats/StatsTile.tsx')),
    Editor: lazy(() => import('./stats/StatsEditor.tsx')),
    shape: 'rows',
  },
  CODE: {
    label: () => 'Code',
    View: lazy(() => import('./code/CodeTile.tsx')),
    Editor: lazy(() => import('./code/CodeEditor.tsx')),
    shape: 'text',
  },
  PDF: {
    label: () => 'PDF',
    View: lazy(() => import('./pdf/PdfTile.tsx')),
    Editor: lazy(() => import('./pdf/PdfEditor.tsx')),
    shape: 'text',
  },
  IMAGE: {
    label: () => 'Image',
    View: lazy(() => import('./image/ImageTile.tsx')),
    Editor: lazy(() => import('./image/ImageEditor.tsx')),
    shape: 'text',
  },
  SEARCH: {
    label: () => 'Search',
    View: lazy(() => import('./search/SearchTile.tsx')),
    Editor: lazy(() => import('./search/SearchEditor.tsx')),
    shape: 'rows',
  },
  AUTO_PIPELINE: workflowKind('Auto pipeline'),
  STATUS: workflowKind('Status'),
  DIAGRAM: workflowKind('Diagram'),
}

function workflowKind(label: string): TileKind {
  return {
    label: () => label,
    View: lazy(() => import('./workflow/WorkflowTile.tsx')),
    Editor: lazy(() => import('./workflow/WorkflowEditor.tsx')),
    shape: 'text',
  }
}

/** The kind of a tile; undefined for one that cannot be shown. */
export function tileKindOf({ type }: Pick<Tile, 'type'>): TileKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined
}
