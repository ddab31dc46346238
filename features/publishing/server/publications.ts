import { sharingErrors } from '@headwater/accounts/contract'
import { randomBytes } from 'node:crypto'
import { AppError, type Page } from '@headwater/contract'
import {
  formatUtcSeconds,
  lastIsoTime,
  parseUtcEnd,
  unlessRefused,
  type Clock,
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import { insightErrors } from '@headwater/insights/contract'
import { fileNameOf, type InsightNames, type StoredInsight } from '@headwater/insights/server'
import { groupsIn } from '@headwater/tile-data/core'
import { publishingErrors, type PublicStatus, type PublicView } from '../contract/index.ts'
import { readPreps } from './public-preps.ts'
import type { NamedPublication, Publication } from './public-store.ts'
import { readDefinition, visibleContent, type PublicDependencies } from './public-view.ts'

/** Returns whether an insight is public, its publisher and its expiry. */
export async function getPublicStatus(
  { insightAccess, store, clock }: PublicDependencies,
  principal: Principal,
  names: InsightNames,
): Promise<PublicStatus> {
  const { stored } = await insightAccess.toRead(principal, names)
  return statusOf(await store.find(stored.id), clock)
}

/**
 * Publishes an insight, changes the expiry of its public view, or ends the public view.
 * @throws publishingNotAllowed, sharingOff, expirationPast, expirationTooLate
 */
export async function updatePublicStatus(
  deps: PublicDependencies,
  principal: Principal,
  given: InsightNames & { isPublic: boolean; expirationDate?: string | null | undefined },
): Promise<PublicStatus> {
  const { store, insights, clock } = deps
  const { group, stored } = await deps.insightAccess.toShare(principal, given)
  const { id: insightId } = stored
  const expiresAt = given.isPublic ? parseUtcEnd(given.expirationDate) : undefined
  if (given.isPublic && !deps.sharingEnabled) throw sharingErrors.sharingOff()
  if (expiresAt !== undefined && expiresAt <= clock.now()) throw publishingErrors.expirationPast()
  if (expiresAt !== undefined && expiresAt > lastIsoTime) throw publishingErrors.expirationTooLate()
  if (given.isPublic) await requirePublishable(deps, principal, given.insightName, stored)
  const notFound = () => insightErrors.insightNotFound({ name: given.insightName, group: group.name })
  await deps.sharingStore.change(async (executor: Executor) => {
    if (!(await insights.hold(insightId, executor))) throw notFound()
    // Read within the lock, so that the second of two concurrent publications keeps the key of the first.
    const before = await store.find(insightId, executor)
    if (!given.isPublic) return store.withdraw(insightId, executor)
    return store.publish(
      {
        insightId,
        publisherId: principal.userId,
        // Existing links stay valid as long as the insight is public without interruption.
        signingKey:
          before && statusOf(before, clock).isPublic
            ? before.signingKey
            : randomBytes(32).toString('base64url'),
        publishedAt: clock.now(),
        expiresAt,
      },
      executor,
    )
  })
  const noted = await unlessRefused(
    deps.files.update(principal, stored.fid, publicFields(given.isPublic, expiresAt)),
  )
  if (noted === undefined) throw notFound()
  return statusOf(await store.find(insightId), clock)
}

/**
 * Returns the public views that contain data of a group.
 * @throws groupForbidden unless the caller can share the group
 */
export async function listPublicViews(
  deps: PublicDependencies,
  principal: Principal,
  groupName: string,
): Promise<Page<PublicView>> {
  const group = await deps.groups.access.getGroup(principal, groupName, 'RWS')
  const items = (await viewsOver(deps, group.name)).map((publication) => ({
    groupName: publication.groupName,
    insightName: publication.insightName,
    publisher: publication.publisher,
    published: formatUtcSeconds(publication.publishedAt),
    expirationDate: publication.expiresAt === undefined ? null : formatUtcSeconds(publication.expiresAt),
  }))
  return { from: 0, totalSize: items.length, items }
}

/** Returns the number of public views that contain data of a group. */
export async function countPublicViews(deps: PublicDependencies, groupName: string): Promise<number> {
  return (await viewsOver(deps, groupName)).length
}

/** Returns the names of the groups whose data public views contain. */
export async function publicGroupNames(deps: PublicDependencies): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const publication of await deps.store.listActive(deps.clock.now())) {
    names.add(publication.groupName)
    for (const name of await groupsVisibleIn(deps, publication)) names.add(name)
  }
  return names
}

/**
 * Ends a public view of any publisher that contains data of a group.
 * @throws groupForbidden unless the caller can share the group; publicViewNotFound
 */
export async function endPublicView(
  deps: PublicDependencies,
  principal: Principal,
  { groupName, insightGroupName, insightName }: InsightNames & { insightGroupName: string },
): Promise<void> {
  const { store, readModel } = deps
  const group = await deps.groups.access.getGroup(principal, groupName, 'RWS')
  const publication = (await viewsOver(deps, group.name)).find(
    (view) => view.groupName === insightGroupName && view.insightName === insightName,
  )
  if (publication === undefined)
    throw publishingErrors.publicViewNotFound({ name: insightName, group: group.name })
  await deps.sharingStore.change((executor: Executor) => store.withdraw(publication.insightId, executor))
  const publisher = await deps.findPrincipal(publication.publisherId)
  const stored = await readModel.findFile(publication.groupId, fileNameOf(insightName))
  // The field is a copy of the publication. It stays unchanged if the publisher can no longer write the file.
  if (publisher !== undefined && stored !== undefined)
    await unlessRefused(deps.files.update(publisher, stored.fid, publicFields(false, undefined)))
}

/**
 * Returns the publication of an insight for a user who can edit the insight.
 * @throws notPublic
 */
export async function requirePublication(
  { insightAccess, store }: PublicDependencies,
  principal: Principal,
  names: InsightNames,
): Promise<Publication> {
  const { stored } = await insightAccess.toEdit(principal, names)
  const publication = await store.find(stored.id)
  if (publication === undefined) throw insightErrors.notPublic({ name: names.insightName })
  return publication
}

/** Like {@link requirePublication}, but returns undefined if the insight is not public. */
export async function findPublication(
  deps: PublicDependencies,
  principal: Principal,
  names: InsightNames,
): Promise<Publication | undefined> {
  try {
    return await requirePublication(deps, principal, names)
  } catch (error) {
    if (error instanceof AppError && error.code === 'notPublic') return undefined
    throw error
  }
}

async function requirePublishable(
  deps: PublicDependencies,
  principal: Principal,
  name: string,
  stored: StoredInsight,
): Promise<void> {
  const content = await readDefinition(deps, principal, stored)
  const refused = content === undefined ? [] : await deps.publishing.groupsNotAllowed(principal, content)
  if (refused.length > 0) throw publishingErrors.publishingNotAllowed({ name, groups: refused })
}

/** Returns the public views that show data of a group, by name. */
async function viewsOver(deps: PublicDependencies, groupName: string): Promise<NamedPublication[]> {
  const views: NamedPublication[] = []
  for (const publication of await deps.store.listActive(deps.clock.now()))
    if (publication.groupName === groupName || (await groupsVisibleIn(deps, publication)).has(groupName))
      views.push(publication)
  return views
}

/** Returns the groups whose data a public view contains. */
async function groupsVisibleIn(
  deps: PublicDependencies,
  publication: NamedPublication,
): Promise<ReadonlySet<string>> {
  const publisher = await deps.findPrincipal(publication.publisherId)
  const group = { id: publication.groupId, name: publication.groupName }
  const stored = await unlessRefused(deps.insightFiles.find(group, publication.insightName))
  const whole = publisher && stored && (await unlessRefused(readDefinition(deps, publisher, stored)))
  if (publisher === undefined || whole === undefined) return new Set()
  const content = visibleContent(whole, undefined)
  const saved = await readPreps(deps, { content, principals: [publisher, publisher] })
  return groupsIn([content, saved.map(({ details }) => details)])
}

function statusOf(publication: Publication | undefined, clock: Clock): PublicStatus {
  const { expiresAt } = publication ?? {}
  return {
    isPublic: publication !== undefined && !(expiresAt !== undefined && expiresAt <= clock.now()),
    expirationDate: expiresAt === undefined ? null : formatUtcSeconds(expiresAt),
    publisher: publication?.publisher ?? null,
  }
}

/** Returns the info fields of an insight that copy its public status. */
function publicFields(isPublic: boolean, expiresAt: Date | undefined) {
  return [
    { name: 'public_view', value: String(isPublic) },
    { name: 'public_view_expiration', value: expiresAt === undefined ? '' : formatUtcSeconds(expiresAt) },
  ]
}
