import type { Tile } from '@headwater/tile-data/contract'
import { type LazyPart, lazyPart } from '@headwater/web-kit'
import { chartName } from './chart/chart-name.ts'
import type { TileEditorProps, TileViewProps } from './tile-view.ts'

/** A kind of tile that can be shown and edited. */
export interface TileKind {
  /** Title of the editor panel. */
  label: (tile: Tile) => string
  /** The content of a tile. */
  View: LazyPart<TileViewProps>
  /** The fields of the editor panel. */
  Editor: LazyPart<TileEditorProps>
  /** Shape of the placeholder while code or data load. */
  shape: 'chart' | 'rows' | 'text'
}

const kinds: Readonly<Record<string, TileKind>> = {
  Chart: {
    label: chartName,
    View: lazyPart(() => import('./chart/ChartTile.tsx')),
    Editor: lazyPart(() => import('./chart/ChartEditor.tsx')),
    shape: 'chart',
  },
  Table: {
    label: () => 'Table',
    View: lazyPart(() => import('./table/TableTile.tsx')),
    Editor: lazyPart(() => import('./table/TableEditor.tsx')),
    shape: 'rows',
  },
  Text: {
    label: () => 'Text',
    View: lazyPart(() => import('./text/TextTile.tsx')),
    Editor: lazyPart(() => import('./text/TextEditor.tsx')),
    shape: 'text',
  },
  STATS: {
    label: () => 'Stats',
    View: lazyPart(() => import('./stats/StatsTile.tsx')),
    Editor: lazyPart(() => import('./stats/StatsEditor.tsx')),
    shape: 'rows',
  },
  CODE: {
    label: () => 'Code',
    View: lazyPart(() => import('./code/CodeTile.tsx')),
    Editor: lazyPart(() => import('./code/CodeEditor.tsx')),
    shape: 'text',
  },
  PDF: {
    label: () => 'PDF',
    View: lazyPart(() => import('./pdf/PdfTile.tsx')),
    Editor: lazyPart(() => import('./pdf/PdfEditor.tsx')),
    shape: 'text',
  },
  IMAGE: {
    label: () => 'Image',
    View: lazyPart(() => import('./image/ImageTile.tsx')),
    Editor: lazyPart(() => import('./image/ImageEditor.tsx')),
    shape: 'text',
  },
  SEARCH: {
    label: () => 'Search',
    View: lazyPart(() => import('./search/SearchTile.tsx')),
    Editor: lazyPart(() => import('./search/SearchEditor.tsx')),
    shape: 'rows',
  },
  AUTO_PIPELINE: workflowKind('Auto pipeline'),
  STATUS: workflowKind('Status'),
  DIAGRAM: workflowKind('Diagram'),
}

function workflowKind(label: string): TileKind {
  return {
    label: () => label,
    View: lazyPart(() => import('./workflow/WorkflowTile.tsx')),
    Editor: lazyPart(() => import('./workflow/WorkflowEditor.tsx')),
    shape: 'text',
  }
}

/** Preloads the code of charts, which nearly every insight has, before the insight is loaded. */
export function preloadCharts(): void {
  kinds['Chart']?.View.preload()
}

/** Preloads the code of tiles. */
export function preloadTiles(tiles: readonly Tile[]): void {
  for (const tile of tiles) tileKindOf(tile)?.View.preload()
}

/** Returns the kind of a tile; undefined for an unknown kind. */
export function tileKindOf({ type }: Pick<Tile, 'type'>): TileKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined
}
