import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'

/** The kinds of tiles that belong to pipelines. */
export const workflowKinds = {
  AUTO_PIPELINE: {
    label: 'Auto pipeline',
    title: 'Auto pipeline',
    text: 'Starts a pipeline from the insight and shows its progress.',
  },
  STATUS: {
    label: 'Status',
    title: 'Status',
    text: 'Lists the newest statuses of pipelines and groups.',
  },
  DIAGRAM: {
    label: 'Diagram',
    title: 'Diagram',
    text: 'Draws pipelines and their dependencies on a canvas.',
  },
} as const
export type WorkflowKind = keyof typeof workflowKinds

/** Number of statuses a new status tile lists. */
const statusLimit = 10
/** The largest number of statuses a status tile can list. */
export const maxStatusLimit = 200
/** Seconds between two refreshes of a new status tile. */
const statusRefreshSeconds = 10

/** The fields of a status tile that its editor sets. */
export const statusTile = z.looseObject({
  limit: z
    .number()
    .transform((limit) => Math.min(maxStatusLimit, Math.max(1, Math.round(limit))))
    .pipe(z.int().min(1).max(maxStatusLimit))
    .catch(statusLimit)
    .describe('Number of statuses it lists, 1 to 200, default 10.'),
  autoRefreshInterval: z
    .number()
    .transform((seconds) => Math.max(1, Math.round(seconds)))
    .pipe(z.int().min(1))
    .catch(statusRefreshSeconds)
    .describe('Seconds between two refreshes, default 10.')
    .meta({ unit: 's' }),
})
export type StatusTile = z.output<typeof statusTile>

/** A new tile of a workflow kind, with what its kind stores. */
export function newWorkflowTile(id: string, type: WorkflowKind): Tile {
  const common = { id, type, title: workflowKinds[type].title, tileWidth: 'half', tileHeight: 'half' }
  switch (type) {
    case 'STATUS':
      return {
        ...common,
        statusFilters: [],
        pipelineItems: [],
        limit: statusLimit,
        withAutoRefresh: true,
        autoRefreshInterval: statusRefreshSeconds,
        withStatusesLink: true,
      }
    case 'DIAGRAM':
      return { ...common, tileWidth: 'full', diagram: { nodes: [], links: [] } }
    case 'AUTO_PIPELINE':
      return common
  }
}

/** What a workflow tile is for; undefined for a tile of another kind. */
export function workflowKindOf(type: string): (typeof workflowKinds)[WorkflowKind] | undefined {
  return Object.hasOwn(workflowKinds, type) ? workflowKinds[type as WorkflowKind] : undefined
}
