import { z } from 'zod'
import type { Tile } from '@headwater/tile-data/contract'

/** The kinds of workflow tiles. */
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
/** A kind of workflow tile. */
export type WorkflowKind = keyof typeof workflowKinds

/** Default number of statuses. */
const statusLimit = 10
/** Maximum number of statuses. */
const maxStatusLimit = 200
/** Default refresh interval, in seconds. */
const statusRefreshSeconds = 10

/** The editable fields of a status tile. */
export const statusTile = z.looseObject({
  limit: z
    .number()
    .transform((limit) => Math.min(maxStatusLimit, Math.max(1, Math.round(limit))))
    .pipe(z.int().min(1).max(maxStatusLimit))
    .catch(statusLimit)
    .describe('Number of listed statuses, 1 to 200, default 10.'),
  autoRefreshInterval: z
    .number()
    .transform((seconds) => Math.max(1, Math.round(seconds)))
    .pipe(z.int().min(1))
    .catch(statusRefreshSeconds)
    .describe('Seconds between two refreshes, default 10.')
    .meta({ unit: 's' }),
})
/** A parsed {@link statusTile}. */
export type StatusTile = z.output<typeof statusTile>

/** Creates a workflow tile. */
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

/** Returns the description of a workflow kind; undefined for other kinds. */
export function workflowKindOf(type: string): (typeof workflowKinds)[WorkflowKind] | undefined {
  return Object.hasOwn(workflowKinds, type) ? workflowKinds[type as WorkflowKind] : undefined
}
