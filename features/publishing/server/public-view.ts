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
import type { InsightContent } from '@headwater/tile-data/contract'
import type { TileDataService } from '@headwater/tile-data/server'
import { publishingErrors } from '../contract/index.ts'
import type { Allowed } from './link-permissions.ts'
import { shareable } from './public-access.ts'
import type { PublicPrepsDependencies } from './public-preps.ts'
import type { NamedPublication, Publication, PublicStore } from './public-store.ts'
import type { PublicTokens } from './public-tokens.ts'
import type { PublishingRights } from './publishing-rights.ts'
import type { SharingStore } from './sharing-store.ts'
import type { VisitorQueue } from './visitor-queue.ts'

/** Dependencies of public views. */
export interface PublicDependencies extends PublicPrepsDependencies {
  /** Stored publications, links and visitors. */
  store: PublicStore
  /** Serialises changes of shares and publications. */
  sharingStore: Pick<SharingStore, 'change'>
  /** Locks the item of an insight. */
  insights: Pick<InsightItems['insights'], 'hold'>
  /** Signed tokens of visitors. */
  tokens: PublicTokens
  /** Finds files of groups. */
  readModel: Pick<InsightsReadModel, 'findFile'>
  /** Checks access to insights. */
  insightAccess: InsightAccess
  /** Stored definitions of insights. */
  insightFiles: InsightFiles
  /** Logos of insights. */
  logos: Pick<LogoService, 'read'>
  /** Files of the lake. */
  files: Pick<Files, 'getReadable' | 'readContent' | 'update'>
  /** Checks access to groups. */
  groups: Pick<Groups, 'access'>
  /** Checks what a user can publish. */
  publishing: PublishingRights
  /** Reads data of tiles. */
  tileData: TileDataService
  /** Cache of parsed definitions. */
  definitions: DefinitionCache
  /** Values of parameters. */
  lists: Symbols['lists']
  /** Queue of the queries of visitors. */
  queue: VisitorQueue
  /** Whether sharing is switched on. */
  sharingEnabled: boolean
  /** Current time. */
  clock: Clock
}

/** Parts of the URL of a visitor. */
export interface Visit {
  /** Group of the insight. */
  groupName: string
  /** Name of the insight, with or without `.json`. */
  fileName: string
  /** Signed part of a link; empty for the link without choices. */
  link: string
  /** Token of the submitted form; empty if there is none. */
  token: string
}

/** A public insight that a visitor can see. */
export interface OpenView {
  /** The publication. */
  publication: Publication
  /** The stored insight. */
  stored: StoredInsight
  /** Publisher and last author. Both need access to the data; queries run with the access of the publisher. */
  principals: readonly [Principal, Principal]
  /** Choices of the link. */
  allowed: Allowed
  /** Number of visible tiles before the form; undefined means all. */
  tiles: number | undefined
  /** Whether the insight has a form, submitted or not. */
  hasForm: boolean
  /** Visible part of the definition, with the names of groups. */
  content: InsightContent
  /** The whole definition. */
  whole: InsightContent
}

/**
 * Opens a public insight for a visitor.
 * @throws publicInsightNotFound, even if the publisher can no longer publish it; publicViewEnded; linkTampered
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
  const author = stored.savedById === undefined ? undefined : await findPrincipal(stored.savedById)
  const tilesBeforeForm = selfActivationOf((name) => textOf(stored.fields[name]))
  const isActivated = tokens.readVisit(signingKey, visit.token, clock.now()) !== undefined
  const tiles = tilesBeforeForm === undefined || isActivated ? undefined : tilesBeforeForm
  return {
    publication,
    stored,
    principals: [publisher, author ?? withoutAccess(publisher)],
    allowed,
    tiles,
    hasForm: tilesBeforeForm !== undefined,
    whole,
    content: visibleContent(whole, tiles),
  }
}

/** Returns a definition if its publisher can still publish it. */
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

const visibleContents = new WeakMap<InsightContent, Map<number | undefined, InsightContent>>()

/**
 * Returns the part of a definition that visitors see. The result is cached.
 * @param tiles number of tiles before the form; undefined means all
 */
export function visibleContent(whole: InsightContent, tiles: number | undefined): InsightContent {
  const known = visibleContents.get(whole) ?? new Map<number | undefined, InsightContent>()
  visibleContents.set(whole, known)
  const content = known.get(tiles) ?? publicContent(whole, tiles)
  known.set(tiles, content)
  return content
}

/** Returns a field if it is a string; undefined otherwise. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns a principal without any access, for an insight whose last author was deleted. It stays hidden until another user saves it. */
function withoutAccess(principal: Principal): Principal {
  return { ...principal, userId: 0, userName: '', isAdministrator: false, can: () => false }
}
