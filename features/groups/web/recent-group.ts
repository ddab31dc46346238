import { newestStatus } from '@headwater/statuses/web'
import { call, ifThere, links, type Recent, type RecentHit } from '@headwater/web-kit'
import { getGroup } from '../contract/index.ts'

/** Returns a recently opened group with the status of its newest upload; undefined if it does not exist. */
export async function findRecentGroup({ name }: Recent, signal: AbortSignal): Promise<RecentHit | undefined> {
  const group = await ifThere(call(getGroup, { params: { name } }, { signal }))
  if (group === undefined) return undefined
  return {
    id: String(group.groupId),
    title: group.name,
    href: links.group(group.name),
    latestStatus: await newestStatus({ type: 'ETL', name }, signal),
  }
}
