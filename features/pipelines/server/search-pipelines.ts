import { isUuid, type Page } from '@headwater/contract'
import { parseSearchQuery, type Principal } from '@headwater/server-kit'
import type { TriggerType } from '@headwater/statuses/contract'
import type { Pipeline } from '../contract/index.ts'
import { accessToPipelines } from './pipeline-access.ts'
import { toListedPipelines } from './pipeline-view.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'
import { favouriteConditions, pipelineConditions, versionConditions } from './pipelines-store.ts'

/** A search for pipelines. */
export interface PipelineSearch {
  /** Part of the name, an id, or pairs such as `groupName=Flows&tag=daily`. */
  query: string
  /** Whether to return only the newest version of each pipeline. */
  latest: boolean
  /** Trigger of the pipelines; `ANY` for all. */
  triggerType: TriggerType
  /** Only pipelines with exactly this tag. */
  tag?: string | undefined
  /** Only pipelines that use the task with this name. */
  taskName?: string | undefined
  /** Group of this task; empty if it is built in. */
  taskGroup: string
  /** true: only favourites of the caller; false: only other pipelines. */
  favorite?: boolean | undefined
  /** Sort key. */
  sortBy: 'updated' | 'name'
  /** Sort order. Default: ascending by name, descending by date. */
  sortOrder?: 'asc' | 'desc' | undefined
  /** Number of pipelines to skip. */
  from: number
  /** Maximum number of pipelines on the page. */
  size: number
}

/** Returns a page of the pipelines that the caller can read. */
export async function searchPipelines(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  {
    query,
    latest,
    triggerType,
    tag: ownTag,
    taskName,
    taskGroup,
    favorite,
    sortBy,
    sortOrder,
    from,
    size,
  }: PipelineSearch,
): Promise<Page<Pipeline>> {
  const { tag, ...criteria } = parseCriteria(query)
  const empty = { from, totalSize: 0, items: [] }
  if (criteria.id !== undefined && !isUuid(criteria.id)) return empty
  const { items, total } = await deps.store.search(
    {
      ...criteria,
      scope: await deps.groups.scope(principal),
      latest,
      where: [
        ...pipelineConditions({ tag, triggerType }),
        ...pipelineConditions({
          tag: ownTag,
          task: taskName === undefined ? undefined : { taskName, taskGroup },
        }),
        ...(favorite === undefined
          ? []
          : favouriteConditions(await deps.favouriteIds(principal.userId), favorite)),
      ],
    },
    { sortBy, sortOrder: sortOrder ?? (sortBy === 'name' ? 'asc' : 'desc'), from, size },
  )
  return { from, totalSize: total, items: await toListedPipelines(deps, principal, items) }
}

/** A search for versions of one pipeline. */
export interface VersionSearch {
  pipelineName: string
  groupName: string
  /** Version number, or part of the author's name. Empty matches all versions. */
  query: string
  from: number
  size: number
}

/**
 * Returns a page of the versions of a pipeline, newest first.
 * @throws pipelineNotFound
 */
export async function listVersionsByName(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  { pipelineName, groupName, query, from, size }: VersionSearch,
): Promise<Page<Pipeline>> {
  const { item, group } = await accessToPipelines(deps).require(
    principal,
    { groupName, name: pipelineName },
    'R',
  )
  const { items, total } = await deps.store.search(
    { scope: group.scope, latest: false, id: item.id, where: versionConditions(query) },
    { sortBy: 'updated', sortOrder: 'desc', from, size },
  )
  return { from, totalSize: total, items: await toListedPipelines(deps, principal, items) }
}

/** Parses the query. Plain text is an id or part of a name. */
function parseCriteria(text: string) {
  const { pairs, freeText } = parseSearchQuery(text)
  const valueOf = (name: string) => pairs.find(({ key }) => key.toLowerCase() === name)?.value.trim()
  const isId = isUuid(freeText)
  return {
    id: valueOf('id')?.toLowerCase() ?? (isId ? freeText.trim().toLowerCase() : undefined),
    nameContains: isId || freeText.replaceAll('*', '') === '' ? undefined : freeText,
    namePattern: valueOf('name'),
    groupPattern: valueOf('groupname'),
    tag: valueOf('tag') ?? valueOf('tags'),
  }
}
