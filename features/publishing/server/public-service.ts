import { randomBytes } from 'node:crypto'
import { AppError, type Page } from '@headwater/contract'
import {
  formatUtcSeconds,
  unlessRefused,
  type Clock,
  type Executor,
  type Principal,
  lastIsoTime,
  parseUtcEnd,
} from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'
import type { DataPrepDetails } from '@headwater/preps/contract'
import type { Preps } from '@headwater/preps/server'
import type { Symbols } from '@headwater/symbols/server'
import { type InsightContent, type Tile } from '@headwater/tiles/contract'
import { DefinitionError, insightErrors } from '@headwater/insights/contract'
import {
  publishingErrors,
  maxPublicLinks,
  visitorDays,
  type AllowedParameter,
  type PublicInsight,
  type PublicLink,
  type PublicStatus,
  type PublicView,
  type Visitor,
} from '../contract/index.ts'
import {
  groupsIn,
  withGroups,
  anyValue,
  fieldsOf,
  paramSetsOf,
  type DataPrepAddress,
  appliedInsight,
  type PageChoices,
  queryOfPart,
} from '@headwater/tiles/core'
import {
  publicContent,
  publicTiles,
  selfActivationOf,
  shownFiles,
  withoutFileIds,
} from '@headwater/insights/core'
import type { DefinitionCache } from '@headwater/insights/server'
import type { InsightAccess, InsightNames } from '@headwater/insights/server'
import { fileNameOf, type InsightFiles } from '@headwater/insights/server'
import { insightNameOf, type InsightItems } from '@headwater/insights/server'
import type { InsightsReadModel, StoredInsight } from '@headwater/insights/server'
import type { Logo, LogoService } from '@headwater/insights/server'
import { allowedParameter, isAllowed, requireAllowed, type Allowed } from './link-permissions.ts'
import type { NamedPublication, Publication, PublicStore } from './public-store.ts'
import type { PublicTokens } from './public-tokens.ts'
import type { PublishingRights } from './publishing-rights.ts'
import type { SharingStore } from './sharing-store.ts'
import { shownPreps } from './shown-preps.ts'
import type { OpenTiles, TileDataService } from '@headwater/tiles/server'
import type { VisitorQueue } from './visitor-queue.ts'

/** Access that the publisher and the author need on what visitors see: publishing is sharing with everybody. */
const publishingAccess = 'RWS'
/** Values of a parameter that visitors are offered at once. */
const offeredValues = 500
/** Maximum rows of one result for a visitor. */
const maxPublicRows = 50_000
const listedVisitors = 200
/** How many who filled in the form are kept for an insight. */
const keptVisitors = 10_000
const dayMs = 86_400_000

export interface PublicServiceDependencies {
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
  preps: Pick<Preps, 'get'>
  /** The principal of an active user; visitors are answered with the rights of who published. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  findUser: (userName: string) => Promise<{ userId: number } | undefined>
  queue: VisitorQueue
  /** Whether the installation lets users share. */
  sharingEnabled: boolean
  clock: Clock
}

export type PublicService = ReturnType<typeof createPublicService>

/** What a visitor brings along. */
export interface Visit {
  groupName: string
  /** With or without `.json`. */
  fileName: string
  link: string
  token: string
}

/** A public insight that a visitor may look at. */
interface OpenView {
  publication: Publication
  stored: StoredInsight
  /** In whose name visitors are answered: who published it, and who saved what it shows. Both must be allowed. */
  principals: readonly [Principal, Principal]
  allowed: Allowed
  /** Tiles before the form; undefined = all. */
  tiles: number | undefined
  /** Whether a form is asked for, filled in or not. */
  hasForm: boolean
  /** What is shown, with the names of groups. */
  content: InsightContent
  whole: InsightContent
}

/** A file as visitors name it: the word for its group, and its name. */
interface AskedFile {
  group: string
  name: string
}

/** A search for the values of a parameter. */
interface AskedValues {
  group: string
  key: string
  query: string
  symbols: Record<string, string>
}

/** A saved data prep as visitors know it: without people and runs. */
interface SharedPrep {
  details: DataPrepDetails
  /** Users who need access to its rows: the principals of the public view and the last author of the data prep. */
  principals: readonly [Principal, ...Principal[]]
}

/** A saved data prep and the tile that shows it. */
interface ShownPrep {
  tile: Tile
  details: DataPrepDetails
}

/** The rules of public views: visitors see what the insight shows, as far as who published and who saved it may see it now. */
export function createPublicService(dependencies: PublicServiceDependencies) {
  const {
    store,
    sharingStore,
    insights,
    tokens,
    readModel,
    insightAccess,
    insightFiles,
    logos,
    files,
    groups,
  } = dependencies
  const { publishing, tileData, definitions, lists, preps, findPrincipal, findUser } = dependencies
  const { queue, sharingEnabled, clock } = dependencies
  const reduced = new WeakMap<InsightContent, Map<number | undefined, InsightContent>>()
  const sent = new WeakMap<InsightContent, { signingKey: string; content: InsightContent }>()

  async function open(visit: Visit): Promise<OpenView> {
    if (!sharingEnabled) throw publishingErrors.publicInsightNotFound()
    const insightName = visit.fileName.replace(/\.json$/i, '')
    const publication = await store.findByName(visit.groupName, insightName)
    if (publication === undefined) throw publishingErrors.publicInsightNotFound()
    const { publisherId, signingKey, expiresAt, groupId } = publication
    if (expiresAt !== undefined && expiresAt <= clock.now())
      throw publishingErrors.publicViewEnded({ ended: formatUtcSeconds(expiresAt).replace('T', ' ') })
    const read = tokens.readLink(signingKey, visit.link)
    if (read === undefined) throw publishingErrors.linkTampered()
    const { allowed, key } = read
    if (key !== undefined && !(await store.hasLink(publication.insightId, key)))
      throw publishingErrors.linkTampered()
    const publisher = await findPrincipal(publisherId)
    const group = publisher && (await shareable(publisher, { id: groupId }))
    const stored = group && (await unlessRefused(insightFiles.find(group, insightName)))
    const saver = stored?.savedById === undefined ? undefined : await findPrincipal(stored.savedById)
    const whole = publisher && stored && (await contentOf(publisher, stored))
    if (publisher === undefined || stored === undefined || whole === undefined)
      throw publishingErrors.publicInsightNotFound()
    if (!publisher.can('Insight/PublicView', 'RW')) throw publishingErrors.publicInsightNotFound()
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

  /** What visitors see of a definition, made once; `tiles` before the form, undefined = all. */
  function shownTo(whole: InsightContent, tiles: number | undefined): InsightContent {
    const known = reduced.get(whole) ?? new Map<number | undefined, InsightContent>()
    reduced.set(whole, known)
    const content = known.get(tiles) ?? publicContent(whole, tiles)
    known.set(tiles, content)
    return content
  }

  async function contentOf(principal: Principal, stored: StoredInsight): Promise<InsightContent | undefined> {
    try {
      return await definitions.get(stored, () => insightFiles.readContent(principal, stored))
    } catch (error) {
      if (error instanceof DefinitionError) return undefined
      throw error
    }
  }

  async function shareable(
    principal: Principal,
    by: { id: number } | { name: string },
  ): Promise<AccessibleGroup | undefined> {
    return unlessRefused(
      'id' in by
        ? groups.access.getGroupById(principal, by.id, publishingAccess)
        : groups.access.getGroup(principal, by.name, publishingAccess),
    )
  }

  /** A group that visitors may be answered from, undefined for any other. */
  async function shareableByAll(
    principals: readonly Principal[],
    by: { id: number } | { name: string },
  ): Promise<AccessibleGroup | undefined> {
    const found = await Promise.all(principals.map((principal) => shareable(principal, by)))
    return found.includes(undefined) ? undefined : found[0]
  }

  /** The names behind the words that stand for groups in a view. */
  function namesByWord({ publication, content }: OpenView, saved: readonly ShownPrep[]): Map<string, string> {
    const names = groupsIn([content, saved.map(({ details }) => details)])
    return new Map([...names].map((name) => [tokens.groupWord(publication.signingKey, name), name]))
  }

  /**
   * Returns a function that loads each saved data prep once. It returns undefined if a principal or the last author cannot share the data prep.
   */
  function prepFinder(
    principals: OpenView['principals'],
  ): (address: DataPrepAddress) => Promise<SharedPrep | undefined> {
    const found = new Map<string, Promise<SharedPrep | undefined>>()
    return (address) => {
      const key = JSON.stringify(address)
      const prep = found.get(key) ?? findPrep(principals, address)
      found.set(key, prep)
      return prep
    }
  }

  async function findPrep(
    principals: OpenView['principals'],
    address: DataPrepAddress,
  ): Promise<SharedPrep | undefined> {
    const getAs = (principal: Principal) =>
      unlessRefused(preps.get(principal, address, { withMetadata: false, resolvePattern: false }))
    const [details, same] = await Promise.all(principals.map(getAs))
    const user = details && same && (await findUser(details.modifiedBy))
    const savedBy = user && (await findPrincipal(user.userId))
    if (!details || !savedBy || (await getAs(savedBy)) === undefined) return undefined
    const all = [...principals, savedBy] as const
    if ((await shareableByAll(all, { name: details.outputGroup })) === undefined) return undefined
    const { runningJobId: _, ...rest } = details
    return { principals: all, details: { ...rest, owner: '', modifiedBy: '', writeAccess: false } }
  }

  /** The saved data preps that are shown, as far as they may be seen. */
  async function prepsOf({
    content,
    principals,
  }: Pick<OpenView, 'content' | 'principals'>): Promise<ShownPrep[]> {
    const find = prepFinder(principals)
    const shown: ShownPrep[] = []
    for (const { tile, address } of shownPreps(content)) {
      const prep = await find(address)
      if (prep !== undefined) shown.push({ tile, details: prep.details })
    }
    return shown
  }

  async function shownFile(view: OpenView, asked: AskedFile) {
    const groupName = namesByWord(view, []).get(asked.group)
    const isShown = shownFiles(view.content).some(
      (file) => file.groupName === groupName && file.fileName === asked.name,
    )
    if (groupName === undefined || !isShown)
      throw publishingErrors.questionNotInInsight({ what: 'this file' })
    const group = await shareableByAll(view.principals, { name: groupName })
    const found = group && (await readModel.findFile(group.id, asked.name))
    if (found === undefined) throw publishingErrors.publicFileGone()
    return files.getReadable(view.principals[0], found.fid)
  }

  /** What goes out of a definition. Without saved data preps, which change by themselves, it is made once. */
  function sentContent(view: OpenView, saved: readonly ShownPrep[]): InsightContent {
    const { signingKey } = view.publication
    const known = sent.get(view.content)
    if (saved.length === 0 && known?.signingKey === signingKey) return known.content
    const content = withWords(withoutIds(view.content, saved), view)
    if (saved.length === 0) sent.set(view.content, { signingKey, content })
    return content
  }

  function versionOf({ publication, stored }: OpenView): string {
    return tokens.fileWord(publication.signingKey, stored.fid)
  }

  function withWords<T>(value: T, { publication }: OpenView): T {
    return withGroups(value, (name) => tokens.groupWord(publication.signingKey, name))
  }

  async function requirePublishable(
    principal: Principal,
    name: string,
    stored: StoredInsight,
  ): Promise<void> {
    const content = await contentOf(principal, stored)
    const refused = content === undefined ? [] : await publishing.groupsNotAllowed(principal, content)
    if (refused.length > 0) throw publishingErrors.publishingNotAllowed({ name, groups: refused })
  }

  /** The public views that show something of a group, in the order of their names. */
  async function viewsOver(groupName: string): Promise<NamedPublication[]> {
    const found: NamedPublication[] = []
    for (const publication of await store.alive(clock.now()))
      if (await showsGroup(publication, groupName)) found.push(publication)
    return found
  }

  async function showsGroup(publication: NamedPublication, groupName: string): Promise<boolean> {
    if (publication.groupName === groupName) return true
    const publisher = await findPrincipal(publication.publisherId)
    const place = { id: publication.groupId, name: publication.groupName }
    const stored = await unlessRefused(insightFiles.find(place, publication.insightName))
    const content = publisher && stored && (await unlessRefused(contentOf(publisher, stored)))
    if (publisher === undefined || content === undefined) return false
    const shown = shownTo(content, undefined)
    const saved = await prepsOf({ content: shown, principals: [publisher, publisher] })
    return groupsIn([shown, saved.map(({ details }) => details)]).has(groupName)
  }

  async function statusOf(publication: Publication | undefined): Promise<PublicStatus> {
    const { expiresAt } = publication ?? {}
    return {
      isPublic: publication !== undefined && !(expiresAt !== undefined && expiresAt <= clock.now()),
      expirationDate: expiresAt === undefined ? null : formatUtcSeconds(expiresAt),
      publisher: publication?.publisher ?? null,
    }
  }

  async function requirePublication(principal: Principal, names: InsightNames): Promise<Publication> {
    const { stored } = await insightAccess.toEdit(principal, names)
    const publication = await store.find(stored.id)
    if (publication === undefined) throw insightErrors.notPublic({ name: names.insightName })
    return publication
  }

  async function ifPublic(publication: Promise<Publication>): Promise<Publication | undefined> {
    try {
      return await publication
    } catch (error) {
      if (error instanceof AppError && error.code === 'notPublic') return undefined
      throw error
    }
  }

  /** Visitors are answered with the rights of who published: only who has them all opens more to them. */
  function requirePublisher(principal: Principal, publication: Publication, name: string): void {
    if (publication.publisherId !== principal.userId && !principal.isAdministrator)
      throw publishingErrors.notPublisher({ name, publisher: publication.publisher })
  }

  return {
    async status(principal: Principal, names: InsightNames): Promise<PublicStatus> {
      const { stored } = await insightAccess.toRead(principal, names)
      return statusOf(await store.find(stored.id))
    },

    async updateStatus(
      principal: Principal,
      given: InsightNames & { isPublic: boolean; expirationDate?: string | null | undefined },
    ): Promise<PublicStatus> {
      const { group, stored } = await insightAccess.toShare(principal, given)
      const { id: insightId } = stored
      const expiresAt = given.isPublic ? parseUtcEnd(given.expirationDate) : undefined
      if (given.isPublic && !sharingEnabled) throw publishingErrors.sharingOff()
      if (expiresAt !== undefined && expiresAt <= clock.now()) throw publishingErrors.expirationPast()
      if (expiresAt !== undefined && expiresAt > lastIsoTime) throw publishingErrors.expirationTooLate()
      if (given.isPublic) await requirePublishable(principal, given.insightName, stored)
      await sharingStore.change(async (executor: Executor) => {
        if (!(await insights.hold(insightId, executor)))
          throw insightErrors.insightNotFound({ name: given.insightName, group: group.name })
        // Read here: of two who publish at once the second keeps the key of the first.
        const before = await store.find(insightId, executor)
        const isAlive = (await statusOf(before)).isPublic
        if (!given.isPublic) await store.withdraw(insightId, executor)
        else
          await store.publish(
            {
              insightId,
              publisherId: principal.userId,
              // Links that were given stay good for as long as the insight has been public without a break.
              signingKey: isAlive && before ? before.signingKey : randomBytes(32).toString('base64url'),
              publishedAt: clock.now(),
              expiresAt,
            },
            executor,
          )
      })
      const noted = await unlessRefused(
        files.update(principal, stored.fid, publicFields(given.isPublic, expiresAt)),
      )
      if (noted === undefined)
        throw insightErrors.insightNotFound({ name: given.insightName, group: group.name })
      return statusOf(await store.find(insightId))
    },

    async link(
      principal: Principal,
      given: InsightNames & { parameters: AllowedParameter[]; dates: boolean },
    ): Promise<{ path: string; link: string }> {
      const publication = await requirePublication(principal, given)
      if (!sharingEnabled) throw publishingErrors.sharingOff()
      const { parameters, dates } = given
      const isPlain = parameters.length === 0 && !dates
      if (!isPlain) requirePublisher(principal, publication, given.insightName)
      if (isPlain) return { path: pathOfLink(given, ''), link: '' }
      const { insightId, signingKey } = publication
      const own = randomBytes(12).toString('base64url')
      const stored = { key: own, parameters, dates, createdAt: clock.now() }
      const key = await store.addLink(insightId, stored, maxPublicLinks)
      if (key === undefined) throw publishingErrors.tooManyPublicLinks({ max: maxPublicLinks })
      const link = tokens.writeLink(signingKey, { parameters, dates }, key)
      return { path: pathOfLink(given, link), link }
    },

    async links(principal: Principal, names: InsightNames): Promise<{ items: PublicLink[] }> {
      const publication = await ifPublic(requirePublication(principal, names))
      if (publication === undefined) return { items: [] }
      requirePublisher(principal, publication, names.insightName)
      const links = await store.links(publication.insightId)
      return {
        items: links.map(({ key, parameters, dates, createdAt }) => ({
          key,
          path: pathOfLink(names, tokens.writeLink(publication.signingKey, { parameters, dates }, key)),
          parameters,
          dates,
          created: formatUtcSeconds(createdAt),
        })),
      }
    },

    async endLink(principal: Principal, { key, ...names }: InsightNames & { key: string }): Promise<void> {
      const publication = await requirePublication(principal, names)
      requirePublisher(principal, publication, names.insightName)
      await store.endLink(publication.insightId, key)
    },

    async visitors(principal: Principal, names: InsightNames): Promise<{ items: Visitor[] }> {
      const publication = await ifPublic(requirePublication(principal, names))
      if (publication === undefined) return { items: [] }
      requirePublisher(principal, publication, names.insightName)
      const visitors = await store.visitors(publication.insightId, listedVisitors)
      return {
        items: visitors.map(({ submittedAt, ...rest }) => ({
          ...rest,
          submitted: formatUtcSeconds(submittedAt),
        })),
      }
    },

    /** The public views over a group, for users who may share it. */
    async views(principal: Principal, groupName: string): Promise<Page<PublicView>> {
      const group = await groups.access.getGroup(principal, groupName, 'RWS')
      const items = (await viewsOver(group.name)).map((publication) => ({
        groupName: publication.groupName,
        insightName: publication.insightName,
        publisher: publication.publisher,
        published: formatUtcSeconds(publication.publishedAt),
        expirationDate: publication.expiresAt === undefined ? null : formatUtcSeconds(publication.expiresAt),
      }))
      return { from: 0, totalSize: items.length, items }
    },

    /** How many public views show a group. */
    countViews: async (groupName: string): Promise<number> => (await viewsOver(groupName)).length,

    /** Ends a public view over a group, for users who may share that group, whoever published it. */
    async endView(
      principal: Principal,
      { groupName, insightGroupName, insightName }: InsightNames & { insightGroupName: string },
    ): Promise<void> {
      const group = await groups.access.getGroup(principal, groupName, 'RWS')
      const publication = (await viewsOver(group.name)).find(
        (view) => view.groupName === insightGroupName && view.insightName === insightName,
      )
      if (publication === undefined)
        throw publishingErrors.publicViewNotFound({ name: insightName, group: group.name })
      await sharingStore.change((executor: Executor) => store.withdraw(publication.insightId, executor))
      const publisher = await findPrincipal(publication.publisherId)
      const stored = await readModel.findFile(publication.groupId, fileNameOf(insightName))
      // The field only repeats what the publication says; a publisher who may not write any more leaves it as it is.
      if (publisher !== undefined && stored !== undefined)
        await unlessRefused(files.update(publisher, stored.fid, publicFields(false, undefined)))
    },

    async view(visit: Visit): Promise<PublicInsight> {
      const view = await open(visit)
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
        version: versionOf(view),
        content: sentContent(view, await prepsOf(view)),
      }
    },

    /**
     * Opens the tiles of the version that the page of a visitor shows.
     * @throws publicVersionGone, and questionNotInInsight for a range that the link does not allow
     */
    async openTiles(
      visit: Visit,
      { version, ...choices }: PageChoices & { version: string },
      address: string,
    ): Promise<OpenTiles> {
      const view = await open(visit)
      const { content, publication, principals, allowed } = view
      if (version !== versionOf(view)) throw publishingErrors.publicVersionGone()
      if (choices.range !== undefined && !allowed.dates)
        throw publishingErrors.questionNotInInsight({ what: 'this range of dates' })
      const insight = appliedInsight(content, choices)
      const shownIds = new Set(publicTiles(content).map(({ id }) => id))
      const { insightId } = publication
      return {
        groupWord: (name) => tokens.groupWord(publication.signingKey, name),
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
            findPrep: prepFinder(principals),
            takeTurn: (_query, signal) => queue.take({ address, insightId, signal }),
          })
        },
      }
    },

    /** Values that the link lets a visitor choose for a parameter: those it lists, or all that the publisher sees. */
    async values(visit: Visit, asked: AskedValues): Promise<{ items: string[] }> {
      const view = await open(visit)
      const { allowed, principals } = view
      const groupName = namesByWord(view, []).get(asked.group)
      const field = fieldOf(view.content, groupName, asked.key)
      const parameter = allowedParameter(allowed, asked.key)
      if (groupName === undefined || field === undefined || parameter === undefined)
        throw publishingErrors.questionNotInInsight({ what: 'this parameter' })
      const text = asked.query.toLowerCase()
      const contains = (value: string) => value !== anyValue.value && value.toLowerCase().includes(text)
      if (!parameter.values.includes(anyValue.value)) return { items: parameter.values.filter(contains) }
      if ((await shareableByAll(principals, { name: groupName })) === undefined)
        throw publishingErrors.publicDataGone()
      // Other keys would tell a visitor more than the link allows.
      const symbols = Object.fromEntries(
        Object.entries(asked.symbols).filter(([name, value]) => isAllowed(name, value, false, allowed)),
      )
      const found = await unlessRefused(
        lists.fieldValues(principals[0], {
          groupName,
          ...field,
          query: asked.query,
          symbols,
          limit: offeredValues,
        }),
      )
      if (found === undefined) throw publishingErrors.publicDataGone()
      return { items: found.filter(contains) }
    },

    /** A file that a tile shows. */
    async file(visit: Visit, asked: AskedFile) {
      const file = await shownFile(await open(visit), asked)
      return { file, stream: await files.readContent(file) }
    },

    /** Which version of a file a tile shows, and its size. */
    async fileVersion(visit: Visit, asked: AskedFile): Promise<{ version: string; size: number }> {
      const view = await open(visit)
      const { id, sizeBytes } = await shownFile(view, asked)
      return { version: tokens.fileWord(view.publication.signingKey, id), size: sizeBytes }
    },

    async logo(place: Pick<Visit, 'groupName' | 'fileName'>): Promise<Logo> {
      const { stored, principals } = await open({ ...place, link: '', token: '' })
      const fid = textOf(stored.fields.logo)
      if (fid === undefined || fid === '') throw insightErrors.logoNotFound()
      const file = await unlessRefused(files.getReadable(principals[0], fid))
      if (file === undefined || (await shareableByAll(principals, { id: file.groupId })) === undefined)
        throw insightErrors.logoNotFound()
      return logos.read(principals[0], fid)
    },

    async validate({
      groupName,
      insightName,
      token,
    }: InsightNames & { token: string }): Promise<{ valid: boolean; expires: string | null }> {
      const publication = await store.findByName(groupName, insightName)
      const expires =
        publication && sharingEnabled
          ? tokens.readVisit(publication.signingKey, token, clock.now())
          : undefined
      return {
        valid: expires !== undefined,
        expires: expires === undefined ? null : formatUtcSeconds(expires),
      }
    },

    async submit(
      given: InsightNames & { company: string; email: string; fullName: string; discountCode: string },
    ): Promise<{ token: string; expires: string }> {
      const { groupName, insightName, ...visitor } = given
      const { publication, hasForm } = await open({ groupName, fileName: insightName, link: '', token: '' })
      if (!hasForm) throw publishingErrors.formNotAsked()
      const now = clock.now()
      await store.addVisitor(publication.insightId, { ...visitor, submittedAt: now }, keptVisitors)
      const ends = new Date(now.getTime() + visitorDays * dayMs)
      return { token: tokens.writeVisit(publication.signingKey, ends), expires: formatUtcSeconds(ends) }
    },
  }
}

/** The info fields of an insight that repeat whether it is public. */
function publicFields(isPublic: boolean, expiresAt: Date | undefined) {
  return [
    { name: 'public_view', value: String(isPublic) },
    { name: 'public_view_expiration', value: expiresAt === undefined ? '' : formatUtcSeconds(expiresAt) },
  ]
}

/** Saved data preps are named by group and name: ids are nothing for visitors. */
function withoutIds(content: InsightContent, saved: readonly ShownPrep[]): InsightContent {
  const named = new Map(saved.map(({ tile, details }) => [tile.id, details]))
  const fieldOf = (field: unknown, tile: Tile): unknown => {
    const { type, value } = (typeof field === 'object' && field !== null ? field : {}) as Record<
      string,
      unknown
    >
    if (typeof type === 'string' && type.toUpperCase() === 'FILE') return field
    if (typeof value !== 'object' || value === null || !('id' in value)) return field
    const { outputGroup: groupName = '', name = '' } = named.get(tile.id) ?? {}
    return { ...(field as object), value: { groupName, name } }
  }
  return {
    ...withoutFileIds(content),
    tiles: withoutFileIds(content.tiles).map((tile) => ({
      ...tile,
      ...(tile.source === undefined ? {} : { source: fieldOf(tile.source, tile) }),
      ...(tile.dataSource === undefined ? {} : { dataSource: fieldOf(tile.dataSource, tile) }),
    })),
    datapreps: Object.fromEntries(
      Object.entries(content.datapreps ?? {}).map(([id, data]) => {
        if (typeof data !== 'object' || data === null || !('id' in data)) return [id, data]
        const { id: _, ...rest } = data
        const details = named.get(id)
        return [id, details ? { ...rest, outputGroup: details.outputGroup, name: details.name } : rest]
      }),
    ),
  }
}

/** Somebody who may see nothing: what was saved by a user who has gone is shown only once somebody saved it again. */
function nobodyLike(principal: Principal): Principal {
  return { ...principal, userId: 0, userName: '', isAdministrator: false, can: () => false }
}

/** The field of a set of parameters over a group, by the name of its key; undefined when no set has it. */
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function pathOfLink({ groupName, insightName }: InsightNames, link: string): string {
  const path = ['Public', 'Insight', groupName, insightName].map(encodeURIComponent).join('/')
  return `/${path}${link === '' ? '' : `?link=${link}`}`
}
