import { useQuery } from '@tanstack/react-query'
import { type Access, call, links, routeKey, type UsedObject } from '@headwater/web-kit'
import { getUsage, type UsageRow, type UsedBy } from '../contract/index.ts'

/** An object that uses another one. */
export interface UsageEntry {
  /** Key of the row. */
  key: string
  /** Kind of the object. */
  kind: 'pipeline' | UsedBy['kind']
  /** Name of the object. */
  name: string
  /** Name of its group. */
  group: string
  /** Newest version; null for formulas. */
  version: number | null
  /** Link to it; undefined for templates, which have no page of their own. */
  href: string | undefined
  /** Access that its page needs. */
  access: Access
  /** Tasks of a pipeline through which it uses the object. */
  tasks: UsageRow['taskAndVersions']
}

/** Requests the dependents of an object. The call has no timeout, because large installations have many references. */
export function useUsage(object: UsedObject, { size, outside = false }: { size: number; outside?: boolean }) {
  const { fids = [], symbols, withSeries: _withSeries, ...names } = object
  const input = {
    query: {
      ...names,
      size,
      outside,
      ...(fids.length === 0 ? {} : { fids: fids.join(',') }),
      ...(symbols === undefined ? {} : { symbols: JSON.stringify(symbols) }),
    },
  }
  return useQuery({
    queryKey: routeKey(getUsage, input),
    queryFn: ({ signal }) => call(getUsage, input, { signal }),
    // Saves of other users change references, so each opening requests them again. They are not refreshed otherwise,
    // because a deletion refreshes all other queries while the note about the deleted object is still open.
    gcTime: 0,
    staleTime: 'static',
    select: ({ pipelineAndTasks, others, totalSize, hidden }) => ({
      entries: [...pipelineAndTasks.map(entryOfPipeline), ...others.map(entryOf)],
      totalSize,
      hidden,
    }),
  })
}

function entryOfPipeline({ id, name, group, version, taskAndVersions }: UsageRow): UsageEntry {
  const href = links.pipeline(group, name)
  return {
    key: id,
    kind: 'pipeline',
    name,
    group,
    version,
    href,
    access: pageAccess.pipeline,
    tasks: taskAndVersions,
  }
}

const pageAccess: Readonly<Record<UsageEntry['kind'], Access>> = {
  pipeline: { resource: 'Creator', parent: 'Science' },
  task: { resource: 'Task', mode: 'RW', parent: 'Science' },
  'data-prep': { resource: 'DataPreps', parent: 'Storage' },
  insight: { resource: 'Insight' },
  'insight-template': { resource: 'Templates' },
  formula: { resource: 'Storage' },
}

function entryOf({ kind, id, name, group, version }: UsedBy): UsageEntry {
  return {
    key: `${kind} ${id}`,
    kind,
    name,
    group,
    version,
    href: hrefOf({ kind, id, name, group }),
    access: pageAccess[kind],
    tasks: [],
  }
}

function hrefOf({
  kind,
  id,
  name,
  group,
}: Pick<UsedBy, 'kind' | 'id' | 'name' | 'group'>): string | undefined {
  switch (kind) {
    case 'task':
      return links.task(id)
    case 'data-prep':
      return links.dataPrep(group, name)
    case 'insight':
      return links.insight(group, name)
    case 'formula':
      return links.symbols(group)
    case 'insight-template':
      return undefined
  }
}
