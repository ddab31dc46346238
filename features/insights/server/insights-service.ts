import {
  AppError,
  commonErrors,
  invalidInput,
  pathOf,
  wildcardMatcher,
  type Page,
  type RouteInput,
} from '@headwater/contract'
import {
  formatUtcSeconds,
  parseSearchQuery,
  unlessRefused,
  type Clock,
  type Principal,
} from '@headwater/server-kit'
import type { fileErrors, FieldMap } from '@headwater/files/contract'
import type { FileMove, Files } from '@headwater/files/server'
import { groupName } from '@headwater/groups/contract'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'
import { type InsightContent } from '@headwater/tiles/contract'
import {
  decodeTags,
  DefinitionError,
  encodeTags,
  insightErrors,
  putInsightLogo,
  upgradeContent,
  type createInsight,
  type deleteInsight,
  type Insight,
  type InsightSummary,
  type listInsightTags,
  type patchInsight,
  type searchInsights,
  type updateInsight,
} from '../contract/index.ts'
import { publicContent } from '../core/public-content.ts'
import {
  mayEdit,
  readableTypes,
  requireEdit,
  typeOf,
  typeOfContent,
  type FoundInsight,
  type InsightAccess,
} from './insight-access.ts'
import { checkContent, definitionText } from './definition-checks.ts'
import { fileNameOf, type InsightFiles } from './insight-files.ts'
import { insightNameOf } from './insight-items.ts'
import type { InsightLocks } from './insight-locks.ts'
import type { InsightsReadModel, StoredInsight } from './insights-read-model.ts'
import { placeTexts, textMoves, withMovedTexts, withTextSources, type TextMove } from './text-files.ts'

/** Longest value of a metadata field of a file. */
const maxFieldCharacters = 4000
const versionsPage = 1000

export interface InsightsServiceDependencies {
  readModel: InsightsReadModel
  insightFiles: InsightFiles
  insightAccess: InsightAccess
  locks: InsightLocks
  files: Pick<Files, 'getReadable' | 'listVersions' | 'update' | 'remove'>
  groups: Pick<Groups, 'access' | 'create' | 'remove'>
  /** Returns the groups that visitors of a definition see and that a user cannot share, in the order of their names. */
  groupsNotAllowed: (principal: Principal, content: InsightContent) => Promise<string[]>
  clock: Clock
  createId: () => string
}

export type InsightsService = ReturnType<typeof createInsightsService>

/** What becomes of an insight that gets another name or group with a save. */
interface Renaming {
  oldGroup: AccessibleGroup
  oldInsightName: string
  /** Files of texts that are renamed with it. */
  texts: readonly TextMove[]
}

type CreateBody = RouteInput<typeof createInsight>['body']
type UpdateBody = RouteInput<typeof updateInsight>['body']
type PatchBody = RouteInput<typeof patchInsight>['body']
type DeleteBody = RouteInput<typeof deleteInsight>['body']

/** The rules of insights: each is a file of the type INSIGHT in a group, each save a new version of it. */
export function createInsightsService(dependencies: InsightsServiceDependencies) {
  const { readModel, insightFiles, insightAccess, locks, files, groups, groupsNotAllowed } = dependencies
  const { clock, createId } = dependencies

  /**
   * Writes the texts of text tiles into files of their own, then the definition; returns the id of its version. The definition gets
   * its version in one transaction with the renaming. If that fails, the texts are deleted again.
   * @param given.basedOn id of the version that must still be the newest one; null: there must be none; undefined: any
   */
  async function save(
    principal: Principal,
    given: {
      group: AccessibleGroup
      insightName: string
      fields: FieldMap
      content: InsightContent
      before: InsightContent | undefined
      basedOn: string | null | undefined
      renaming?: Renaming
    },
  ): Promise<string> {
    const { group, insightName, before, basedOn, renaming } = given
    // What older clients send becomes the present form: a template of the lake is a file like any other.
    const { content, files: texts } = await placeTexts(upgradeContent(given.content, createId), insightName, {
      before,
      isTaken: async (name) => (await readModel.findFile(group.id, name)) !== undefined,
    })
    const text = definitionText(content)
    const written: string[] = []
    try {
      for (const { fileName, fileType, text: own } of texts) {
        // A text that is renamed below gets its version before that.
        const from = renaming?.texts.find(({ to }) => to === fileName)?.from
        const location =
          renaming === undefined || from === undefined
            ? { groupName: group.name, fileName }
            : { groupName: renaming.oldGroup.name, fileName: from }
        written.unshift(await insightFiles.write(principal, { ...location, fileType, content: own }))
      }
      return await insightFiles.write(principal, {
        groupName: group.name,
        fileName: fileNameOf(insightName),
        fileType: 'INSIGHT',
        fields: given.fields,
        content: text,
        basedOn,
        moves: renaming === undefined ? [] : movesOf(renaming, { group, insightName }),
      })
    } catch (error) {
      for (const fid of written) await files.remove(principal, fid).catch(() => undefined)
      throw error
    }
  }

  /**
   * Removes a version and those before it. One that was uploaded as a file meanwhile is not ours to take away.
   * Each goes in a transaction of its own and the one that is shown goes last: whatever ends this early leaves the
   * insight as it was saved last, with less of its history, and doing it again removes the rest.
   */
  async function removeVersions(principal: Principal, stored: StoredInsight): Promise<void> {
    let from = 0
    for (;;) {
      const { items } = await files.listVersions(principal, stored.fid, { from, size: versionsPage })
      const older = items.filter(({ version }) => version < stored.version)
      for (const { fid } of older) await files.remove(principal, fid)
      if (items.length < versionsPage) break
      from += items.length - older.length
    }
    await files.remove(principal, stored.fid)
  }

  /** The files of texts that can be renamed: those that are there and whose new name is free. */
  async function movableTexts(texts: readonly TextMove[], from: number, to: number): Promise<TextMove[]> {
    const movable: TextMove[] = []
    for (const text of texts) {
      const isFree =
        !movable.some((other) => other.to === text.to) &&
        (await readModel.findFile(to, text.to)) === undefined
      if (isFree && (await readModel.findFile(from, text.from)) !== undefined) movable.push(text)
    }
    return movable
  }

  async function saveNew(
    principal: Principal,
    given: { group: AccessibleGroup; insightName: string; fields: FieldMap; content: InsightContent },
  ): Promise<string> {
    const { group, insightName } = given
    await insightFiles.requireFree(group, insightName)
    try {
      return await save(principal, { ...given, before: undefined, basedOn: null })
    } catch (error) {
      // A file of this name was uploaded meanwhile.
      throw isError(error, 'notNewestVersion')
        ? insightErrors.insightExists({ name: insightName, group: group.name })
        : error
    }
  }

  async function saveChange(
    principal: Principal,
    body: UpdateBody,
    {
      oldGroup,
      group,
      newInsightName,
    }: { oldGroup: AccessibleGroup; group: AccessibleGroup; newInsightName: string },
  ): Promise<string> {
    const { content, oldInsightName, expectedFileId } = body
    const stored = await insightFiles.find(oldGroup, oldInsightName)
    const type = typeOfContent(content)
    requireEdit(principal, typeOf(stored))
    requireEdit(principal, type)
    checkContent(content)
    const changed = () => insightErrors.insightChanged({ name: oldInsightName, owner: stored.owner })
    if (expectedFileId !== undefined && expectedFileId !== stored.fid) throw changed()

    await requirePublishable(principal, stored, content)

    const chosen = Object.fromEntries(
      body.fields.filter(isFree).map(({ name, value }) => [name, value] as const),
    )
    checkSelfActivation(chosen)
    const { renamed_from: _name, moved_here: _moved, ...kept } = stored.fields
    const told = {
      ...(newInsightName === oldInsightName ? {} : { renamed_from: oldInsightName }),
      ...(group.id === oldGroup.id ? {} : { moved_here: 'true' }),
    }
    const before = await contentBefore(principal, stored)
    const given = {
      group,
      insightName: newInsightName,
      fields: { ...kept, ...chosen, insight_type: type, ...infoFields(body), ...told },
      content,
      basedOn: expectedFileId,
    }
    try {
      if (group.id === oldGroup.id && newInsightName === oldInsightName)
        return await save(principal, { ...given, before })
      await insightFiles.requireFree(group, newInsightName)
      const texts = await movableTexts(
        textMoves(before, oldInsightName, newInsightName),
        oldGroup.id,
        group.id,
      )
      return await save(principal, {
        ...given,
        before: before && withMovedTexts(before, oldInsightName, texts),
        renaming: { oldGroup, oldInsightName, texts },
      })
    } catch (error) {
      // A file of this name was uploaded meanwhile.
      if (isError(error, 'notNewestVersion')) throw changed()
      if (isError(error, 'notMovable')) {
        await insightFiles.requireFree(group, newInsightName)
        await insightFiles.find(oldGroup, oldInsightName)
      }
      throw error
    }
  }

  return {
    async search(
      principal: Principal,
      query: RouteInput<typeof searchInsights>['query'],
    ): Promise<Page<InsightSummary>> {
      const { pairs, freeText } = parseSearchQuery(query.query.replaceAll('\0', '').normalize('NFC'))
      const valueOf = (...keys: string[]) => pairs.find(({ key }) => keys.includes(key.toLowerCase()))?.value
      const types = readableTypes(principal)
      const { insights, total } = await readModel.search({
        scope: await groups.access.scope(principal),
        types: query.insightType === undefined ? types : types.filter((type) => type === query.insightType),
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
        if (!writable.has(groupId)) writable.set(groupId, await mayWrite(principal, groupId))
      const items = insights.map((stored) =>
        toSummary(
          stored,
          mayEdit(principal, typeOf(stored)) && writable.get(stored.groupId) === true,
          clock.now(),
        ),
      )
      return { from: query.from, totalSize: total, items }
    },

    /** With `isPublic` as visitors see it, and only as long as they do. */
    async get(
      principal: Principal,
      names: { groupName: string; insightName: string },
      { isPublic = false }: { isPublic?: boolean } = {},
    ): Promise<Insight> {
      const insight = await present(principal, await insightAccess.toRead(principal, names))
      if (!isPublic) return insight
      if (!insight.isPublic) throw insightErrors.notPublic({ name: names.insightName })
      return { ...insight, content: publicContent(insight.content) }
    },

    present,

    /** Changes info without a new version. */
    async patch(
      principal: Principal,
      { groupName, insightName, fields }: PatchBody,
    ): Promise<InsightSummary> {
      const { group, stored } = await insightAccess.toEdit(principal, { groupName, insightName })
      const free = fields.filter(isFree)
      checkSelfActivation(Object.fromEntries(free.map(({ name, value }) => [name, value] as const)))
      for (const { name, value } of free)
        if (name === 'logo' && typeof value === 'string' && value !== '')
          await requireLogo(principal, stored, value)
      return locks.whileLocked([{ groupId: group.id, insightName }], async () => {
        // The version may have become an older one while this waited.
        if (free.length > 0)
          await files.update(principal, (await insightFiles.find(group, insightName)).fid, free)
        return toSummary(await insightFiles.find(group, insightName), true, clock.now())
      })
    },

    async create(principal: Principal, body: CreateBody): Promise<{ id: string; logoLocation: string }> {
      const type = typeOfContent(body.content)
      requireEdit(principal, type)
      checkContent(body.content)
      definitionText(withTextSources(upgradeContent(body.content, createId), body.insightName))
      if (body.shouldCreateGroup) await createGroup(principal, body.groupName)
      const group = await groups.access.getGroup(principal, body.groupName, 'RW')
      const fields: FieldMap = {
        Origin: 'INSIGHT_BUILDER',
        insight_type: type,
        ...infoFields(body),
        ...(body.logoId === undefined ? {} : { logo: body.logoId }),
        ...(body.useUserToken === undefined ? {} : { use_user_token: String(body.useUserToken) }),
      }
      const { content, insightName } = body
      const id = await locks.whileLocked([{ groupId: group.id, insightName }], () =>
        saveNew(principal, { group, insightName, fields, content }),
      )
      return { id, logoLocation: pathOf(putInsightLogo.path, { groupName: group.name, insightName }) }
    },

    async update(principal: Principal, body: UpdateBody): Promise<{ fileId: string }> {
      const { oldInsightName, newInsightName = oldInsightName } = body
      const oldGroup = await groups.access.getGroup(principal, body.oldGroupName, 'RW')
      const newGroupName = body.newGroupName ?? oldGroup.name
      const group =
        newGroupName === oldGroup.name
          ? oldGroup
          : await groups.access.getGroup(principal, newGroupName, 'RW')
      const places = [
        { groupId: oldGroup.id, insightName: oldInsightName },
        { groupId: group.id, insightName: newInsightName },
      ]
      const fileId = await locks.whileLocked(places, () =>
        saveChange(principal, body, { oldGroup, group, newInsightName }),
      )
      return { fileId }
    },

    async remove(principal: Principal, { groupName, insightName, removeGroup }: DeleteBody): Promise<void> {
      const group = await groups.access.getGroup(principal, groupName, 'RW')
      if (removeGroup) {
        requireEdit(principal, typeOf(await insightFiles.find(group, insightName)))
        if (!principal.can('Lake/Groups', 'RW')) throw commonErrors.forbidden({ what: 'delete groups' })
        await groups.remove(principal, group.name)
        return
      }
      await locks.whileLocked([{ groupId: group.id, insightName }], async () => {
        const stored = await insightFiles.find(group, insightName)
        requireEdit(principal, typeOf(stored))
        await removeVersions(principal, stored)
      })
    },

    async listTags(
      principal: Principal,
      { query, from, size }: RouteInput<typeof listInsightTags>['query'],
    ): Promise<Page<string>> {
      const scope = await groups.access.scope(principal)
      const tags = await readModel.listTags({ scope, types: readableTypes(principal) })
      const matches = wildcardMatcher(query.replaceAll('.*', '*'))
      const found = tags.filter(matches).sort((a, b) => a.localeCompare(b, 'en'))
      return { from, totalSize: found.length, items: found.slice(from, from + size) }
    },
  }

  /** A version of an insight with its content; insightDamaged when that cannot be read. */
  async function present(principal: Principal, { group, stored }: FoundInsight): Promise<Insight> {
    try {
      const content = await insightFiles.readContent(principal, stored)
      const writeAccess = group.access !== 'R' && mayEdit(principal, typeOf(stored))
      return { ...toSummary(stored, writeAccess, clock.now()), version: stored.version, content }
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      throw insightErrors.insightDamaged({ name: nameOf(stored), problem: error.message })
    }
  }

  /** The content that a save replaces; undefined when it cannot be read, which must not keep anybody from mending it. */
  async function contentBefore(
    principal: Principal,
    stored: StoredInsight,
  ): Promise<InsightContent | undefined> {
    try {
      return await insightFiles.readContent(principal, stored)
    } catch (error) {
      if (error instanceof DefinitionError) return undefined
      throw error
    }
  }

  /** Whoever saves a public insight publishes what it shows. */
  async function requirePublishable(
    principal: Principal,
    stored: StoredInsight,
    content: InsightContent,
  ): Promise<void> {
    if (!isPublic(stored, clock.now())) return
    const upgraded = upgradeContent(content, createId)
    const refused = await groupsNotAllowed(principal, upgraded)
    if (refused.length > 0) throw insightErrors.saveWouldPublish({ name: nameOf(stored), groups: refused })
  }

  /** Visitors see the logo in the name of others: whoever sets it must be able to see it, and to publish it. */
  async function requireLogo(principal: Principal, stored: StoredInsight, fid: string): Promise<void> {
    const logo = await unlessRefused(files.getReadable(principal, fid))
    if (logo === undefined) throw insightErrors.logoNotFound()
    if (!isPublic(stored, clock.now())) return
    if ((await unlessRefused(groups.access.getGroupById(principal, logo.groupId, 'RWS'))) === undefined)
      throw insightErrors.saveWouldPublish({ name: nameOf(stored), groups: [logo.groupName] })
  }

  async function mayWrite(principal: Principal, groupId: number): Promise<boolean> {
    const group = await unlessRefused(groups.access.getGroupById(principal, groupId, 'R'))
    return group !== undefined && group.access !== 'R'
  }

  async function createGroup(principal: Principal, name: string): Promise<void> {
    if (!principal.can('Lake/Groups', 'RW')) throw commonErrors.forbidden({ what: 'create groups' })
    const valid = groupName.safeParse(name)
    if (!valid.success)
      throw invalidInput([
        { field: 'groupName', message: valid.error.issues[0]?.message ?? 'Choose another name.' },
      ])
    try {
      await groups.create(principal, { name, description: '', fields: [], groupTags: [] })
    } catch (error) {
      if ((error as { code?: string }).code !== 'groupExists') throw error
    }
  }
}

/** The files that are renamed with an insight: its own versions and its texts. */
function movesOf(
  { oldGroup, oldInsightName, texts }: Renaming,
  { group, insightName }: { group: AccessibleGroup; insightName: string },
): FileMove[] {
  const names = [{ from: fileNameOf(oldInsightName), to: fileNameOf(insightName) }, ...texts]
  return names.map(({ from, to }) => ({
    from: { groupId: oldGroup.id, name: from },
    to: { groupId: group.id, name: to },
  }))
}

function isError(error: unknown, code: keyof typeof fileErrors): boolean {
  return error instanceof AppError && error.code === code
}

/** Fields that calls of their own decide. */
const ownFields = new Set([
  'insight_type',
  'insightShared',
  'public_view',
  'public_view_expiration',
  'renamed_from',
  'moved_here',
])

function isFree({ name }: { name: string }): boolean {
  return !ownFields.has(name)
}

function checkSelfActivation(fields: Record<string, unknown>): void {
  const required = fields.is_self_activation_required ?? ''
  const tiles = fields.self_activation_tiles ?? ''
  const isValid = ['', 'true', 'false'].includes(required as string) && /^[0-4]?$/.test(tiles as string)
  if (!isValid) throw insightErrors.selfActivationNotValid()
}

/** Description and tags as they are kept; what is not given is left out. */
function infoFields({ description, tags }: { description?: string; tags?: string[] }): FieldMap {
  const encoded = tags && encodeTags(tags)
  if (encoded !== undefined && encoded.length > maxFieldCharacters)
    throw invalidInput([
      { field: 'tags', message: 'These tags are too long together. Use fewer or shorter ones.' },
    ])
  return {
    ...(description === undefined ? {} : { description }),
    ...(encoded === undefined ? {} : { tags: encoded }),
  }
}

function isPublic({ publicUntil }: Pick<StoredInsight, 'publicUntil'>, now: Date): boolean {
  return publicUntil === null || (publicUntil !== undefined && publicUntil > now)
}

function nameOf({ fileName }: Pick<StoredInsight, 'fileName'>): string {
  return insightNameOf(fileName)
}

/** A stored insight as it travels; `now` decides whether its public view has ended. */
function toSummary(stored: StoredInsight, writeAccess: boolean, now: Date): InsightSummary {
  const fields = Object.entries(stored.fields).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : value.join(', '),
  }))
  const valueOf = (name: string) => fields.find((field) => field.name === name)?.value
  const type = typeOf(stored)
  return {
    id: stored.id,
    fid: stored.fid,
    insightName: nameOf(stored),
    fileName: stored.fileName,
    fileType: 'INSIGHT',
    groupName: stored.groupName,
    fields,
    description: valueOf('description') ?? '',
    tags: decodeTags(valueOf('tags')),
    type,
    isWorkflow: type === 'WORKFLOW',
    owner: stored.owner,
    modified: formatUtcSeconds(stored.modifiedAt),
    writeAccess,
    isPublic: isPublic(stored, now),
    publicExpirationDate: stored.publicUntil ? formatUtcSeconds(stored.publicUntil) : null,
    isShared: stored.isShared,
  }
}
