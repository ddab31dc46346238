import { formatUtcSeconds, unlessRefused, type Clock, type Principal } from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import { DefinitionError } from '@headwater/insights/contract'
import { publicContent, selfActivationOf } from '@headwater/insights/core'
import type {
  DefinitionCache,
  InsightAccess,
  InsightFiles,
  InsightItems,
  InsightsReadModel,
  LogoService,
  StoredInsight,
} from '@headwater/insights/server'
import type { Symbols } from '@headwater/symbols/server'
import type { InsightContent } from '@headwater/tiles/contract'
import type { TileDataService } from '@headwater/tiles/server'
import { publishingErrors } from '../contract/index.ts'
import type { Allowed } from './link-permissions.ts'
import { shareable } from './public-access.ts'
import type { PublicPrepsDependencies } from './public-preps.ts'
import type { NamedPublication, Publication, PublicStore } from './public-store.ts'
import type { PublicTokens } from './public-tokens.ts'
import type { PublishingRights } from './publishing-rights.ts'
import type { SharingStore } from './sharing-store.ts'
import type { VisitorQueue } from './visitor-queue.ts'

/** What public views use. */
export interface PublicDependencies extends PublicPrepsDependencies {
  store: PublicStore
  sharingStore: Pick<SharingStore, 'change'>
  insights: Pick<InsightItems['insights'], 'hold'>
  tokens: PublicTokens
  readModel: Pick<InsightsReadModel, 'findFile'>
  insightAccess: InsightAccess
  insightFiles: InsightFiles
  logos: Pick<LogoService, 'read'>
  files: Pick<Files, 'getReadable' | 'readContent' | 'update'>
  groups: Pick<Groups, 'access'>
  publishing: PublishingRights
  tileData: TileDataService
  definitions: DefinitionCache
  lists: Symbols['lists']
  queue: VisitorQueue
  /** Whether the installation lets users share. */
  sharingEnabled: boolean
  clock: Clock
}

/** What a visitor brings along. */
export interface Visit {
  groupName: string
  /** With or without `.json`. */
  fileName: string
  /** Signed choices of a link; empty for the plain address. */
  link: string
  /** Proves that the visitor filled in the form; empty before. */
  token: string
}

/** A public insight that a visitor can see. */
export interface OpenView {
  publication: Publication
  stored: StoredInsight
  /** Who published it and who saved what it shows. Both need access to what visitors see; the first one's rights are used. */
  principals: readonly [Principal, Principal]
  allowed: Allowed
  /** Number of tiles that are visible before the form; undefined = all. */
  tiles: number | undefined
  /** Whether the insight has a form, filled in or not. */
  hasForm: boolean
  /** What is shown, with the names of groups. */
  content: InsightContent
  whole: InsightContent
}

/**
 * Opens a public insight for a visitor.
 * @throws publicInsightNotFound, also if the publisher can no longer publish it; publicViewEnded; linkTampered
 */
export async function openView(deps: PublicDependencies, visit: Visit): Promise<OpenView> {
  const { store, tokens, clock, findPrincipal } = deps
  const insightName = visit.fileName.replace(/\.json$/i, '')
  const publication = deps.sharingEnabled ? await store.findByName(visit.groupName, insightName) : undefined
  if (publication === undefined) throw publishingErrors.publicInsightNotFound()
  const { publisherId, signingKey, expiresAt } = publication
  if (expiresAt !== undefined && expiresAt <= clock.now())
    throw publishingErrors.publicViewEnded({ ended: formatUtcSeconds(expiresAt).replace('T', ' ') })
  const read = tokens.readLink(signingKey, visit.link)
  if (read === undefined) throw publishingErrors.linkTampered()
  const { allowed, key } = read
  if (key !== undefined && !(await store.hasLink(publication.insightId, key)))
    throw publishingErrors.linkTampered()
  const publisher = await findPrincipal(publisherId)
  const published = publisher && (await readPublished(deps, publisher, publication, insightName))
  if (publisher === undefined || published === undefined) throw publishingErrors.publicInsightNotFound()
  const { stored, whole } = published
  const saver = stored.savedById === undefined ? undefined : await findPrincipal(stored.savedById)
  const wanted = selfActivationOf((name) => textOf(stored.fields[name]))
  const isActivated = tokens.readVisit(signingKey, visit.token, clock.now()) !== undefined
  const tiles = wanted === undefined || isActivated ? undefined : wanted
  return {
    publication,
    stored,
    principals: [publisher, saver ?? nobodyLike(publisher)],
    allowed,
    tiles,
    hasForm: wanted !== undefined,
    whole,
    content: shownTo(whole, tiles),
  }
}

/** Reads a definition as far as its publisher can still publish it. */
async function readPublished(
  deps: PublicDependencies,
  publisher: Principal,
  { groupId }: Pick<NamedPublication, 'groupId'>,
  insightName: string,
): Promise<{ stored: StoredInsight; whole: InsightContent } | undefined> {
  if (!publisher.can('Insight/PublicView', 'RW')) return undefined
  const group = await shareable(deps.groups, publisher, { id: groupId })
  const stored = group && (await unlessRefused(deps.insightFiles.find(group, insightName)))
  const whole = stored && (await readDefinition(deps, publisher, stored))
  return stored && whole && { stored, whole }
}

/** Returns the definition of a stored insight; undefined if it is damaged. */
export async function readDefinition(
  { definitions, insightFiles }: Pick<PublicDependencies, 'definitions' | 'insightFiles'>,
  principal: Principal,
  stored: StoredInsight,
): Promise<InsightContent | undefined> {
  try {
    return await definitions.get(stored, () => insightFiles.readContent(principal, stored))
  } catch (error) {
    if (error instanceof DefinitionError) return undefined
    throw error
  }
}

const reduced = new WeakMap<InsightContent, Map<number | undefined, InsightContent>>()

/**
 * Returns what visitors see of a definition, computed once.
 * @param tiles number of tiles before the form; undefined = all
 */
export function shownTo(whole: InsightContent, tiles: number | undefined): InsightContent {
  const known = reduced.get(whole) ?? new Map<number | undefined, InsightContent>()
  reduced.set(whole, known)
  const content = known.get(tiles) ?? publicContent(whole, tiles)
  known.set(tiles, content)
  return content
}

/** Returns the text of a field, undefined for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A user without any access. What a deleted user saved is shown only after somebody saved it again. */
function nobodyLike(principal: Principal): Principal {
  return { ...principal, userId: 0, userName: '', isAdministrator: false, can: () => false }
}
