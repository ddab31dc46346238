import type { Tile } from '../../../contract/index.ts'

/** The kinds of tiles that belong to pipelines. */
export const workflowKinds = {
  AUTO_PIPELINE: {
    label: 'Auto pipeline',
    title: 'Auto pipeline',
    text: 'It is meant to start a pipeline from the insight and to show how its run goes.',
  },
  STATUS: {
    label: 'Status',
    title: 'Status',
    text: 'It is meant to list the newest statuses of pipelines and groups.',
  },
  DIAGRAM: {
    label: 'Diagram',
    title: 'Diagram',
    text: 'It is meant to draw pipelines and how they hang together on a canvas.',
  },
} as const
export type WorkflowKind = keyof typeof workflowKinds

/** Most statuses a status tile lists, and how many a new one does. */
const statusLimit = 10
/** Seconds between two looks at the statuses. */
const statusRefreshSeconds = 10

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
