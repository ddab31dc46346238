import { newestStatus } from '@headwater/statuses/web'
import {
  call,
  freeTextQuery,
  links,
  pageSizes,
  searchHitLink,
  type Recent,
  type RecentHit,
  type SearchHit,
} from '@headwater/web-kit'
import { findPipelineByName, searchPipelines } from '../contract/index.ts'

/** Returns the matching pipelines for the global search, in their newest version. */
export async function findPipelines(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const query = { query: freeTextQuery(text), latest: true, size: pageSizes.search }
  const { items } = await call(searchPipelines, { query }, { signal })
  return items.map(({ id, name, groupName }) => ({
    id,
    title: name,
    detail: groupName,
    href: searchHitLink(links.pipeline(groupName, name)),
  }))
}

/** Returns a recently opened pipeline with the status of its newest run; undefined if it no longer exists. */
export async function findRecentPipeline(
  { name, groupName }: Recent,
  signal: AbortSignal,
): Promise<RecentHit | undefined> {
  const { pipeline: details } = await call(findPipelineByName, { query: { name, groupName } }, { signal })
  if (details === null) return undefined
  const { pipeline } = details
  return {
    id: pipeline.id,
    title: pipeline.name,
    detail: pipeline.groupName,
    href: links.pipeline(pipeline.groupName, pipeline.name),
    latestStatus: await newestStatus({ type: 'PIPELINE', name, groupName }, signal),
  }
}
