import { formatUtcSeconds, unlessRefused } from '@headwater/server-kit'
import { insightErrors } from '@headwater/insights/contract'
import { publicTiles, shownFiles } from '@headwater/insights/core'
import { insightNameOf, type InsightNames, type Logo } from '@headwater/insights/server'
import type { InsightContent } from '@headwater/tiles/contract'
import {
  anyValue,
  appliedInsight,
  fieldsOf,
  paramSetsOf,
  queryOfPart,
  type PageChoices,
} from '@headwater/tiles/core'
import type { OpenTiles } from '@headwater/tiles/server'
import { publishingErrors, visitorDays, type PublicInsight } from '../contract/index.ts'
import { allowedParameter, isAllowed, requireAllowed } from './link-permissions.ts'
import { publishingAccess, shareableByAll } from './public-access.ts'
import { prepFinder, readPreps } from './public-preps.ts'
import { openView, textOf, type OpenView, type PublicDependencies, type Visit } from './public-view.ts'
import { namesByWord, sentContent, versionOf } from './sent-content.ts'

/** Maximum number of values of a parameter in one response. */
const offeredValues = 500
/** Maximum rows of one result for a visitor. */
const maxPublicRows = 50_000
/** Number of visitors of an insight whose forms are kept. */
const keptVisitors = 10_000
const dayMs = 86_400_000

/** Returns the insight of a public address as visitors see it. */
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
 * Opens the tiles of the version that the page of a visitor shows.
 * @param address IP address of the visitor, which shares the queue for queries with others
 * @throws publicVersionGone, and questionNotInInsight for a range that the link does not allow
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
    throw publishingErrors.questionNotInInsight({ what: 'this range of dates' })
  const insight = appliedInsight(content, choices)
  const shownIds = new Set(publicTiles(content).map(({ id }) => id))
  const { insightId, signingKey } = publication
  return {
    groupLabel: (name) => tokens.groupWord(signingKey, name),
    async read(tile) {
      const isShown = tile.part === 'BOX' || shownIds.has(tile.id)
      const part = isShown ? queryOfPart(tile, insight) : undefined
      if (part === undefined) throw publishingErrors.questionNotInInsight({ what: 'this tile' })
      requireAllowed(part.bindings, allowed)
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
  /** Word for the group. */
  group: string
  key: string
  query: string
  symbols: Record<string, string>
}

/** Returns the values of a parameter that the link allows: those it lists, or all that the publisher sees. */
export async function listVisitedValues(
  deps: PublicDependencies,
  visit: Visit,
  { group, key, query, symbols }: ValueSearch,
): Promise<{ items: string[] }> {
  const view = await openView(deps, visit)
  const { allowed, principals } = view
  const groupName = namesByWord(deps.tokens, view).get(group)
  const field = fieldOf(view.content, groupName, key)
  const parameter = allowedParameter(allowed, key)
  if (groupName === undefined || field === undefined || parameter === undefined)
    throw publishingErrors.questionNotInInsight({ what: 'this parameter' })
  const text = query.toLowerCase()
  const contains = (value: string) => value !== anyValue.value && value.toLowerCase().includes(text)
  if (!parameter.values.includes(anyValue.value)) return { items: parameter.values.filter(contains) }
  if ((await shareableByAll(deps.groups, principals, { name: groupName })) === undefined)
    throw publishingErrors.publicDataGone()
  // Other keys would tell a visitor more than the link allows.
  const known = Object.fromEntries(
    Object.entries(symbols).filter(([name, value]) => isAllowed(name, value, false, allowed)),
  )
  const values = await unlessRefused(
    deps.lists.fieldValues(principals[0], {
      groupName,
      ...field,
      query,
      symbols: known,
      limit: offeredValues,
    }),
  )
  if (values === undefined) throw publishingErrors.publicDataGone()
  return { items: values.filter(contains) }
}

/** A file as visitors name it: the word for its group, and its name. */
export interface VisitedFile {
  group: string
  name: string
}

/** Returns a file that a tile shows, with its content. */
export async function readVisitedFile(deps: PublicDependencies, visit: Visit, asked: VisitedFile) {
  const file = await findShownFile(deps, await openView(deps, visit), asked)
  return { file, stream: await deps.files.readContent(file) }
}

/** Returns which version of a file a tile shows, and its size in bytes. */
export async function getVisitedFileVersion(
  deps: PublicDependencies,
  visit: Visit,
  file: VisitedFile,
): Promise<{ version: string; size: number }> {
  const view = await openView(deps, visit)
  const { id, sizeBytes } = await findShownFile(deps, view, file)
  return { version: deps.tokens.fileWord(view.publication.signingKey, id), size: sizeBytes }
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

/** Tells whether a token proves that its visitor filled in the form of an insight, and its expiry. */
export async function validateVisitToken(
  { store, tokens, sharingEnabled, clock }: PublicDependencies,
  { groupName, insightName, token }: InsightNames & { token: string },
): Promise<{ valid: boolean; expires: string | null }> {
  const publication = await store.findByName(groupName, insightName)
  const expires =
    publication && sharingEnabled ? tokens.readVisit(publication.signingKey, token, clock.now()) : undefined
  return {
    valid: expires !== undefined,
    expires: expires === undefined ? null : formatUtcSeconds(expires),
  }
}

/** Stores the form of a visitor, and returns the token that shows the whole insight. */
export async function submitVisitorForm(
  deps: PublicDependencies,
  given: InsightNames & { company: string; email: string; fullName: string; discountCode: string },
): Promise<{ token: string; expires: string }> {
  const { groupName, insightName, ...visitor } = given
  const { store, tokens, clock } = deps
  const address = { groupName, fileName: insightName, link: '', token: '' }
  const { publication, hasForm } = await openView(deps, address)
  if (!hasForm) throw publishingErrors.formNotAsked()
  const now = clock.now()
  await store.addVisitor(publication.insightId, { ...visitor, submittedAt: now }, keptVisitors)
  const ends = new Date(now.getTime() + visitorDays * dayMs)
  return { token: tokens.writeVisit(publication.signingKey, ends), expires: formatUtcSeconds(ends) }
}

async function findShownFile(deps: PublicDependencies, view: OpenView, { group, name }: VisitedFile) {
  const groupName = namesByWord(deps.tokens, view).get(group)
  const isShown = shownFiles(view.content).some(
    (file) => file.groupName === groupName && file.fileName === name,
  )
  if (groupName === undefined || !isShown) throw publishingErrors.questionNotInInsight({ what: 'this file' })
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
