import { formatUtcSeconds, unlessRefused } from '@headwater/server-kit'
import { insightErrors } from '@headwater/insights/contract'
import { publicTiles, visibleFiles } from '@headwater/insights/core'
import { insightNameOf, type InsightNames, type Logo } from '@headwater/insights/server'
import type { InsightContent } from '@headwater/tile-data/contract'
import {
  anyValue,
  appliedInsight,
  fieldsOf,
  maxPublicRows,
  paramSetsOf,
  queriedColumns,
  queryOfPart,
  type PageChoices,
  type ParamSet,
} from '@headwater/tile-data/core'
import type { OpenTiles } from '@headwater/tile-data/server'
import { publicErrorCodes, publishingErrors, visitorDays, type PublicInsight } from '../contract/index.ts'
import { allowedParameter, isAllowed, requireAllowed } from './link-permissions.ts'
import { publishingAccess, shareableByAll } from './public-access.ts'
import { prepFinder, readPreps } from './public-preps.ts'
import { openView, textOf, type OpenView, type PublicDependencies, type Visit } from './public-view.ts'
import { namesByToken, sentContent, versionOf } from './sent-content.ts'

/** Maximum number of values of a parameter in one response. */
const maxOfferedValues = 500
/** Maximum number of submitted forms stored per insight. */
const maxStoredVisitors = 10_000
const dayMs = 86_400_000

/** Returns a public insight for a visitor. */
export async function getVisitedInsight(deps: PublicDependencies, visit: Visit): Promise<PublicInsight> {
  const view = await openView(deps, visit)
  const { publication, stored, allowed, tiles, whole } = view
  const logo = textOf(stored.fields.logo)
  return {
    insightName: insightNameOf(stored.fileName),
    description: textOf(stored.fields.description) ?? '',
    hasLogo: logo !== undefined && logo !== '',
    modified: formatUtcSeconds(stored.modifiedAt),
    expirationDate: publication.expiresAt === undefined ? null : formatUtcSeconds(publication.expiresAt),
    selfActivation:
      tiles === undefined ? null : { tiles, hiddenTiles: Math.max(0, publicTiles(whole).length - tiles) },
    parameters: [...allowed.parameters],
    dates: allowed.dates,
    version: versionOf(deps.tokens, view),
    content: sentContent(deps.tokens, view, await readPreps(deps, view)),
  }
}

/**
 * Opens the tiles of the version on the page of a visitor.
 * @param address IP address of the visitor, for the queue of queries
 * @throws publicVersionGone; an error if the link does not allow the range
 */
export async function openVisitedTiles(
  deps: PublicDependencies,
  visit: Visit,
  { version, ...choices }: PageChoices & { version: string },
  address: string,
): Promise<OpenTiles> {
  const { tokens, tileData, queue } = deps
  const view = await openView(deps, visit)
  const { content, publication, principals, allowed } = view
  if (version !== versionOf(tokens, view)) throw publishingErrors.publicVersionGone()
  if (choices.range !== undefined && !allowed.dates)
    throw publishingErrors[publicErrorCodes.notInInsight]({ value: 'date range' })
  const insight = appliedInsight(content, choices)
  const columnsBySet = new Map<string, ReadonlySet<string>>()
  function columnsOf(set: ParamSet): ReadonlySet<string> {
    const columns = columnsBySet.get(set.id) ?? queriedColumns(set, insight)
    columnsBySet.set(set.id, columns)
    return columns
  }
  const visibleIds = new Set(publicTiles(content).map(({ id }) => id))
  const { insightId, signingKey } = publication
  return {
    groupLabel: (name) => tokens.groupToken(signingKey, name),
    async read(tile) {
      const isVisible = tile.part === 'BOX' || visibleIds.has(tile.id)
      const part = isVisible ? queryOfPart(tile, insight) : undefined
      if (part === undefined) throw publishingErrors[publicErrorCodes.notInInsight]({ what: 'this tile' })
      requireAllowed(part.bindings, allowed, columnsOf)
      return tileData.read(part, tile, {
        principals,
        mode: publishingAccess,
        maxRows: maxPublicRows,
        allHidden: () => publishingErrors.publicDataGone(),
        findPrep: prepFinder(deps, principals),
        takeTurn: (_query, signal) => queue.take({ address, insightId, signal }),
      })
    },
  }
}

/** A search for the values of a parameter. */
export interface ValueSearch {
  /** Token of the group. */
  group: string
  /** Name of the symbol key or metadata. */
  key: string
  /** Part of the value, regardless of case. */
  query: string
  /** Values of other parameters, which filter the result. */
  symbols: Record<string, string>
}

/**
 * Returns the values that the link allows for a parameter: those of the link, or all values visible to the publisher.
 */
export async function listVisitedValues(
  deps: PublicDependencies,
  visit: Visit,
  { group, key, query, symbols }: ValueSearch,
): Promise<{ items: string[]; totalSize: number }> {
  const view = await openView(deps, visit)
  const { allowed, principals } = view
  const groupName = namesByToken(deps.tokens, view).get(group)
  const field = fieldOf(view.content, groupName, key)
  const parameter = allowedParameter(allowed, key)
  if (groupName === undefined || field === undefined || parameter === undefined)
    throw publishingErrors[publicErrorCodes.notInInsight]({ what: 'this parameter' })
  const text = query.toLowerCase()
  const contains = (value: string) => value !== anyValue.value && value.toLowerCase().includes(text)
  if (!parameter.values.includes(anyValue.value)) {
    const items = parameter.values.filter(contains)
    return { items, totalSize: items.length }
  }
  if ((await shareableByAll(deps.groups, principals, { name: groupName })) === undefined)
    throw publishingErrors.publicDataGone()
  // Filters with other keys would reveal more than the link allows.
  const known = Object.fromEntries(
    Object.entries(symbols).filter(([name, value]) => isAllowed(name, value, false, allowed)),
  )
  const matching = await unlessRefused(
    deps.lists.fieldValues(principals[0], {
      groupName,
      ...field,
      query,
      symbols: known,
      limit: maxOfferedValues,
    }),
  )
  if (matching === undefined) throw publishingErrors.publicDataGone()
  const items = matching.values.filter(contains)
  return { items, totalSize: matching.total - (matching.values.length - items.length) }
}

/** A file in a request of a visitor. */
export interface VisitedFile {
  /** Token of its group. */
  group: string
  /** Name of the file. */
  name: string
}

/** Returns a file of a tile with its content. */
export async function readVisitedFile(deps: PublicDependencies, visit: Visit, requested: VisitedFile) {
  const file = await findVisibleFile(deps, await openView(deps, visit), requested)
  return { file, stream: await deps.files.readContent(file) }
}

/** Returns the version of a file of a tile and its size in bytes. */
export async function getVisitedFileVersion(
  deps: PublicDependencies,
  visit: Visit,
  file: VisitedFile,
): Promise<{ version: string; size: number }> {
  const view = await openView(deps, visit)
  const { id, sizeBytes } = await findVisibleFile(deps, view, file)
  return { version: deps.tokens.fileToken(view.publication.signingKey, id), size: sizeBytes }
}

/** Returns the logo of a public insight. */
export async function readVisitedLogo(
  deps: PublicDependencies,
  address: Pick<Visit, 'groupName' | 'fileName'>,
): Promise<Logo> {
  const { stored, principals } = await openView(deps, { ...address, link: '', token: '' })
  const fid = textOf(stored.fields.logo)
  if (fid === undefined || fid === '') throw insightErrors.logoNotFound()
  const file = await unlessRefused(deps.files.getReadable(principals[0], fid))
  if (
    file === undefined ||
    (await shareableByAll(deps.groups, principals, { id: file.groupId })) === undefined
  )
    throw insightErrors.logoNotFound()
  return deps.logos.read(principals[0], fid)
}

/**
 * Returns whether the token of a submitted form is valid, and its expiry. If an insight is given, checks the token for
 * that insight.
 */
export async function validateVisitToken(
  { store, tokens, sharingEnabled, clock }: PublicDependencies,
  { groupName, insightName, token }: Partial<InsightNames> & { token: string },
): Promise<{ valid: boolean; expires: string | null }> {
  const active = sharingEnabled ? await store.listActive(clock.now()) : []
  const expires = active
    .filter((publication) => groupName === undefined || publication.groupName === groupName)
    .filter((publication) => insightName === undefined || publication.insightName === insightName)
    .map(({ signingKey }) => tokens.readVisit(signingKey, token, clock.now()))
    .find((end) => end !== undefined)
  return {
    valid: expires !== undefined,
    expires: expires === undefined ? null : formatUtcSeconds(expires),
  }
}

/** Stores the form of a visitor and returns the token that opens all tiles. */
export async function submitVisitorForm(
  deps: PublicDependencies,
  given: InsightNames & { company: string; email: string; fullName: string; discountCode: string },
): Promise<{ token: string; expires: string }> {
  const { groupName, insightName, ...visitor } = given
  const { store, tokens, clock } = deps
  const address = { groupName, fileName: insightName, link: '', token: '' }
  const { publication, hasForm } = await openView(deps, address)
  if (!hasForm) throw publishingErrors[publicErrorCodes.noForm]()
  const now = clock.now()
  await store.addVisitor(publication.insightId, { ...visitor, submittedAt: now }, maxStoredVisitors)
  const ends = new Date(now.getTime() + visitorDays * dayMs)
  return { token: tokens.writeVisit(publication.signingKey, ends), expires: formatUtcSeconds(ends) }
}

async function findVisibleFile(deps: PublicDependencies, view: OpenView, { group, name }: VisitedFile) {
  const groupName = namesByToken(deps.tokens, view).get(group)
  const isVisible = visibleFiles(view.content).some(
    (file) => file.groupName === groupName && file.fileName === name,
  )
  if (groupName === undefined || !isVisible)
    throw publishingErrors[publicErrorCodes.notInInsight]({ what: 'this file' })
  const shared = await shareableByAll(deps.groups, view.principals, { name: groupName })
  const file = shared && (await deps.readModel.findFile(shared.id, name))
  if (file === undefined) throw publishingErrors.publicFileGone()
  return deps.files.getReadable(view.principals[0], file.fid)
}

/** Returns the field of a parameter set over a group by the name of its key; undefined if no set has it. */
function fieldOf(
  content: InsightContent,
  groupName: string | undefined,
  key: string,
): { name: string; kind: 'symbol' | 'metadata' } | undefined {
  for (const set of paramSetsOf(content))
    if (set.groupName === groupName)
      for (const { name, kind } of fieldsOf(set))
        if ((kind === 'symbol' || kind === 'metadata') && name.toLowerCase() === key.toLowerCase())
          return { name, kind }
  return undefined
}
