import type { TileType } from './tile.ts'

/** Capabilities of a kind of tile. An absent property is false. */
export interface TileTraits {
  /** Whether such tiles display content. Every user with read access to insights can see them. */
  isVisualisation?: true
  /** Whether such tiles belong to pipelines. An insight with such a tile is a workflow. */
  isWorkflow?: true
  /** Whether such tiles display series that parameters can change. */
  hasSeries?: true
  /** Whether such tiles show a range of data. */
  hasRange?: true
  /** Whether such tiles show rows that readers can save. */
  hasRows?: true
  /** Whether other tiles can show the rows of such tiles. */
  isSource?: true
}

/** Capabilities of each kind of tile. Decisions that depend on the kind of a tile use this record. */
export const tileTraits: Readonly<Record<TileType, TileTraits>> = {
  IMAGE: { isVisualisation: true },
  PDF: { isVisualisation: true },
  CODE: { isVisualisation: true, hasSeries: true, hasRange: true },
  Table: { isVisualisation: true, hasSeries: true, hasRange: true, hasRows: true, isSource: true },
  Text: { isVisualisation: true },
  Chart: { isVisualisation: true, hasSeries: true, hasRange: true, hasRows: true, isSource: true },
  STATS: { isVisualisation: true, hasSeries: true, hasRange: true, hasRows: true, isSource: true },
  SEARCH: { isVisualisation: true, hasRange: true, hasRows: true },
  AUTO_PIPELINE: { isWorkflow: true },
  STATUS: { isWorkflow: true },
  DIAGRAM: { isWorkflow: true },
  // Stored by older applications.
  FTL: {},
  HEADER: {},
  FOOTER: {},
  MAP: {},
  INPUT_PARAMS: {},
}

/** Returns the capabilities of a kind of tile; empty for an unknown kind. */
export function traitsOf(type: string): TileTraits {
  return Object.hasOwn(tileTraits, type) ? tileTraits[type as TileType] : {}
}

/** Kinds that display content. Every user with read access to insights can see them. */
export const visualisationTileTypes: readonly string[] = typesWith('isVisualisation')

/** Kinds that belong to pipelines. An insight with one of them is a workflow. */
export const workflowTileTypes: readonly string[] = typesWith('isWorkflow')

/** Returns whether a tile belongs to pipelines. */
export function isWorkflowTile(type: string): boolean {
  return traitsOf(type).isWorkflow === true
}

function typesWith(trait: keyof TileTraits): string[] {
  return Object.keys(tileTraits).filter((type) => traitsOf(type)[trait])
}
