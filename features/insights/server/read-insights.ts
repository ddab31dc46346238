import { canWrite as canWriteTo } from '@headwater/groups/contract'
import { wildcardMatcher, type Page, type RouteInput } from '@headwater/contract'
import { parseSearchQuery, unlessRefused, type Principal } from '@headwater/server-kit'
import {
  DefinitionError,
  insightErrors,
  type Insight,
  type InsightSummary,
  type listInsightTags,
  type searchInsights as searchRoute,
} from '../contract/index.ts'
import { publicContent } from '../core/public-content.ts'
import { canEdit, readableTypes, typeOf, type AccessibleInsight } from './insight-access.ts'
import type { InsightStorage } from './insight-storage.ts'
import { nameOf, toSummary } from './insight-summary.ts'

/** Returns the insights that a user can read and that match a search. */
export async function searchInsights(
  storage: InsightStorage,
  principal: Principal,
  query: RouteInput<typeof searchRoute>['query'],
): Promise<Page<InsightSummary>> {
  const { pairs, freeText } = parseSearchQuery(query.query.replaceAll('\0', '').normalize('NFC'))
  const valueOf = (...keys: string[]) => pairs.find(({ key }) => keys.includes(key.toLowerCase()))?.value
  const types = readableTypes(principal)
  const { insights, total } = await storage.readModel.search({
    scope: await storage.groups.access.scope(principal),
    types: query.insightType === undefined ? types : types.filter((type) => type === query.insightType),
    id: query.id,
    freeText: freeText === '' || freeText === '*' ? undefined : freeText,
    namePattern: valueOf('name', 'insightname')?.replace(/\.json$/i, ''),
    groupName: query.groupName ?? valueOf('groupname', 'groupname.keyword'),
    tag: query.tag ?? valueOf('tag', 'tags'),
    publicOnly: query.publicOnly,
    sortBy: query.sortBy,
    sortOrder: query.sortOrder,
    from: query.from,
    size: query.size,
  })
  const writable = new Map<number, boolean>()
  for (const { groupId } of insights)
    if (!writable.has(groupId)) writable.set(groupId, await canWrite(storage, principal, groupId))
  const items = insights.map((stored) =>
    toSummary(
      stored,
      canEdit(principal, typeOf(stored)) && writable.get(stored.groupId) === true,
      storage.clock.now(),
    ),
  )
  return { from: query.from, totalSize: total, items }
}

/**
 * Returns an insight with its content.
 * @param options.isPublic whether to return the view of visitors, which requires that the insight is public
 * @throws insightDamaged, notPublic
 */
export async function getInsight(
  storage: InsightStorage,
  principal: Principal,
  names: { groupName: string; insightName: string },
  { isPublic = false }: { isPublic?: boolean } = {},
): Promise<Insight> {
  const insight = await presentInsight(
    storage,
    principal,
    await storage.insightAccess.toRead(principal, names),
  )
  if (!isPublic) return insight
  if (!insight.isPublic) throw insightErrors.notPublic({ name: names.insightName })
  return { ...insight, content: publicContent(insight.content) }
}

/**
 * Returns a version of an insight with its content.
 * @throws insightDamaged
 */
export async function presentInsight(
  storage: InsightStorage,
  principal: Principal,
  { group, stored }: AccessibleInsight,
): Promise<Insight> {
  try {
    const content = await storage.insightFiles.readContent(principal, stored)
    const writeAccess = canWriteTo(group.access) && canEdit(principal, typeOf(stored))
    return { ...toSummary(stored, writeAccess, storage.clock.now()), version: stored.version, content }
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    throw insightErrors.insightDamaged({ name: nameOf(stored), problem: error.message })
  }
}

/** Returns the tags of all insights that a user can read, in alphabetical order. */
export async function listTags(
  storage: InsightStorage,
  principal: Principal,
  { query, from, size }: RouteInput<typeof listInsightTags>['query'],
): Promise<Page<string>> {
  const scope = await storage.groups.access.scope(principal)
  const tags = await storage.readModel.listTags({ scope, types: readableTypes(principal) })
  const matches = wildcardMatcher(query.replaceAll('.*', '*'))
  const matching = tags.filter(matches).sort((a, b) => a.localeCompare(b, 'en'))
  return { from, totalSize: matching.length, items: matching.slice(from, from + size) }
}

async function canWrite(storage: InsightStorage, principal: Principal, groupId: number): Promise<boolean> {
  const group = await unlessRefused(storage.groups.access.getGroupById(principal, groupId, 'R'))
  return group !== undefined && canWriteTo(group.access)
}
