import { sharingErrors } from '@headwater/accounts/contract'
import { randomBytes } from 'node:crypto'
import { formatUtcSeconds, type Principal } from '@headwater/server-kit'
import type { InsightNames } from '@headwater/insights/server'
import {
  maxPublicLinks,
  publishingErrors,
  type AllowedParameter,
  type PublicLink,
  type Visitor,
} from '../contract/index.ts'
import type { Publication } from './public-store.ts'
import type { PublicDependencies } from './public-view.ts'
import { findPublication, requirePublication } from './publications.ts'

/** Maximum number of visitors in a list. */
const maxListedVisitors = 200

/**
 * Creates a link with choices for visitors. The same choices return the existing link.
 * @throws notPublic, notPublisher, sharingOff, tooManyPublicLinks
 */
export async function createPublicLink(
  deps: PublicDependencies,
  principal: Principal,
  given: InsightNames & { parameters: AllowedParameter[]; dates: boolean },
): Promise<{ path: string; link: string }> {
  const { store, tokens, clock } = deps
  const publication = await requirePublication(deps, principal, given)
  if (!deps.sharingEnabled) throw sharingErrors.sharingOff()
  const { parameters, dates } = given
  if (parameters.length === 0 && !dates) return { path: pathOfLink(given, ''), link: '' }
  requirePublisher(principal, publication, given.insightName)
  const { insightId, signingKey } = publication
  const own = randomBytes(12).toString('base64url')
  const stored = { key: own, parameters, dates, createdAt: clock.now() }
  const key = await store.addLink(insightId, stored, maxPublicLinks)
  if (key === undefined) throw publishingErrors.tooManyPublicLinks({ max: maxPublicLinks })
  const link = tokens.writeLink(signingKey, { parameters, dates }, key)
  return { path: pathOfLink(given, link), link }
}

/**
 * Returns the links of an insight, newest first.
 * @throws notPublisher unless the caller is the publisher or an administrator
 */
export async function listPublicLinks(
  deps: PublicDependencies,
  principal: Principal,
  names: InsightNames,
): Promise<{ items: PublicLink[] }> {
  const publication = await findPublication(deps, principal, names)
  if (publication === undefined) return { items: [] }
  requirePublisher(principal, publication, names.insightName)
  const links = await deps.store.links(publication.insightId)
  return {
    items: links.map(({ key, parameters, dates, createdAt }) => ({
      key,
      path: pathOfLink(names, deps.tokens.writeLink(publication.signingKey, { parameters, dates }, key)),
      parameters,
      dates,
      created: formatUtcSeconds(createdAt),
    })),
  }
}

/**
 * Ends a link.
 * @throws notPublic, notPublisher unless the caller is the publisher or an administrator
 */
export async function endPublicLink(
  deps: PublicDependencies,
  principal: Principal,
  { key, ...names }: InsightNames & { key: string },
): Promise<void> {
  const publication = await requirePublication(deps, principal, names)
  requirePublisher(principal, publication, names.insightName)
  await deps.store.endLink(publication.insightId, key)
}

/**
 * Returns the last 200 submitted forms of an insight, newest first.
 * @throws notPublisher unless the caller is the publisher or an administrator
 */
export async function listVisitors(
  deps: PublicDependencies,
  principal: Principal,
  names: InsightNames,
): Promise<{ items: Visitor[] }> {
  const publication = await findPublication(deps, principal, names)
  if (publication === undefined) return { items: [] }
  requirePublisher(principal, publication, names.insightName)
  const visitors = await deps.store.visitors(publication.insightId, maxListedVisitors)
  return {
    items: visitors.map(({ submittedAt, ...rest }) => ({
      ...rest,
      submitted: formatUtcSeconds(submittedAt),
    })),
  }
}

/** Links use the access of the publisher, so other users cannot create or see them. */
function requirePublisher(principal: Principal, publication: Publication, name: string): void {
  if (publication.publisherId !== principal.userId && !principal.isAdministrator)
    throw publishingErrors.notPublisher({ name, publisher: publication.publisher })
}

function pathOfLink({ groupName, insightName }: InsightNames, link: string): string {
  const path = ['Public', 'Insight', groupName, insightName].map(encodeURIComponent).join('/')
  return `/${path}${link === '' ? '' : `?link=${link}`}`
}
