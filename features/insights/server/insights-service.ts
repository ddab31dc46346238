import {
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
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import type { FieldMap } from '@headwater/files/contract'
import type { Files } from '@headwater/files/server'
import { groupName } from '@headwater/groups/contract'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'
import {
  decodeTags,
  DefinitionError,
  encodeTags,
  insightErrors,
  publicContent,
  putInsightLogo,
  upgradeContent,
  type createInsight,
  type deleteInsight,
  type Insight,
  type InsightContent,
  type InsightSummary,
  type listInsightTags,
  type patchInsight,
  type searchInsights,
  type updateInsight,
} from '../contract/index.ts'
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
import type { InsightLocks, InsightPlace } from './insight-locks.ts'
import type { InsightsReadModel, StoredInsight } from './insights-read-model.ts'
import type { PublishingRights } from './publishing-rights.ts'
import { placeTexts, textMoves, withMovedTexts, withTextSources, type TextMove } from './text-files.ts'

/** Longest value of a metadata field of a file. */
const maxFieldCharacters = 4000
const versionsPage = 1000

export interface InsightsServiceDependencies {
  readModel: InsightsReadModel
  insightFiles: InsightFiles
  insightAccess: InsightAccess
  locks: InsightLocks
  files: Pick<Files, 'getReadable' | 'listVersions' | 'move' | 'update' | 'remove'>
  groups: Pick<Groups, 'access' | 'create' | 'remove'>
  publishing: PublishingRights
  /**
   * What is known of an insight besides its file follows the file, in the transaction that moves it. Answers with what takes
   * exactly that back, in the transaction that moves the file back.
   */
  onRenamed: (
    from: InsightPlace,
    to: InsightPlace & { groupName: string },
    executor: Executor,
  ) => Promise<TakeBack>
  clock: Clock
  createId: () => string
}

export type InsightsService = ReturnType<typeof createInsightsService>

type TakeBack = (executor: Executor) => Promise<void>

/** The insight that gets another name or group, and which. */
interface Renaming {
  oldGroup: AccessibleGroup
  oldInsightName: string
  group: AccessibleGroup
  newInsightName: string
}

type CreateBody = RouteInput<typeof createInsight>['body']
type UpdateBody = RouteInput<typeof updateInsight>['body']
type PatchBody = RouteInput<typeof patchInsight>['body']
type DeleteBody = RouteInput<typeof deleteInsight>['body']

/** The rules of insights: each is a file of the type INSIGHT in a group, each save a new version of it. */
export function createInsightsService(dependencies: InsightsServiceDependencies) {
  const { readModel, insightFiles, insightAccess, locks, files, groups, publishing } = dependencies
  const { onRenamed, clock, createId } = dependencies

  /**
   * Writes the texts of text tiles into files of their own, then the definition; answers with the id of its version. When something
   * fails, `check` of the new version among it, what was written is taken away again.
   */
  async function save(
    principal: Principal,
    given: {
      group: AccessibleGroup
      insightName: string
      fields: FieldMap
      content: InsightContent
      before: InsightContent | undefined
      check: (fid: string) => Promise<void>
    },
  ): Promise<string> {
    const { group, insightName, before } = given
    // What older clients send becomes the present form: a template of the lake is a file like any other.
    const { content, files: texts } = await placeTexts(upgradeContent(given.content, createId), insightName, {
      before,
      isTaken: async (name) => (await readModel.findFile(group.id, name)) !== undefined,
    })
    const text = definitionText(content)
    const written: string[] = []
    const write = async (file: {
      fileName: string
      fileType: string
      fields?: FieldMap
      content: string
    }) => {
      const fid = await insightFiles.write(principal, { groupName: group.name, ...file })
      written.unshift(fid)
      return fid
    }
    try {
      for (const { fileName, fileType, text: own } of texts) await write({ fileName, fileType, content: own })
      const fileName = fileNameOf(insightName)
      const fid = await write({ fileName, fileType: 'INSIGHT', fields: given.fields, content: text })
      await given.check(fid)
      return fid
    } catch (error) {
      for (const fid of written) await files.remove(principal, fid).catch(() => undefined)
      throw error
    }
  }

  /** The id of the version before this one; undefined when it is the first. */
  async function versionBefore(principal: Principal, fid: string): Promise<string | undefined> {
    const { items } = await files.listVersions(principal, fid, { from: 0, size: versionsPage })
    return items[items.findIndex((version) => version.fid === fid) + 1]?.fid
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

  /** Gives all versions of an insight another name or group; `also` takes part in the transaction. */
  async function moveVersions(
    principal: Principal,
    { oldGroup, oldInsightName, group, newInsightName }: Renaming,
    also: (executor: Executor) => Promise<void>,
  ): Promise<void> {
    await insightFiles.requireFree(group, newInsightName)
    const outcome = await files.move(
      principal,
      { groupName: oldGroup.name, fileName: fileNameOf(oldInsightName) },
      { groupName: group.name, fileName: fileNameOf(newInsightName) },
      also,
    )
    if (outcome === 'moved') return
    await insightFiles.requireFree(group, newInsightName)
    throw insightErrors.insightNotFound({ name: oldInsightName, group: oldGroup.name })
  }

  /** Gives an insight another name or group, with what is known of it; the files of its texts stay. */
  async function rename(principal: Principal, renaming: Renaming): Promise<TakeBack> {
    const { oldGroup, oldInsightName, group, newInsightName } = renaming
    let takeBack: TakeBack = async () => {}
    await moveVersions(principal, renaming, async (executor) => {
      takeBack = await onRenamed(
        { groupId: oldGroup.id, insightName: oldInsightName },
        { groupId: group.id, groupName: group.name, insightName: newInsightName },
        executor,
      )
    })
    return takeBack
  }

  /** Gives a file of a text its new name; false when it stays where it is, as that is taken or there is no such file. */
  async function renameText(
    principal: Principal,
    { oldGroup, group }: Pick<Renaming, 'oldGroup' | 'group'>,
    { from, to }: TextMove,
  ): Promise<boolean> {
    const outcome = await files.move(
      principal,
      { groupName: oldGroup.name, fileName: from },
      { groupName: group.name, fileName: to },
    )
    return outcome === 'moved'
  }

  /** Undoes a renaming, with what is known of the insight and the files of the texts that it moved. */
  async function renameBack(
    principal: Principal,
    { oldGroup, oldInsightName, group, newInsightName }: Renaming,
    { moved, takeBack }: { moved: readonly TextMove[]; takeBack: TakeBack },
  ): Promise<void> {
    const back = { oldGroup: group, group: oldGroup }
    const names = { oldInsightName: newInsightName, newInsightName: oldInsightName }
    await moveVersions(principal, { ...back, ...names }, takeBack)
    for (const { from, to } of moved) await renameText(principal, back, { from: to, to: from })
  }

  async function saveNew(
    principal: Principal,
    given: { group: AccessibleGroup; insightName: string; fields: FieldMap; content: InsightContent },
  ): Promise<string> {
    const { group, insightName } = given
    await insightFiles.requireFree(group, insightName)
    return save(principal, {
      ...given,
      before: undefined,
      async check(fid) {
        if ((await versionBefore(principal, fid)) === undefined) return
        // A file of this name was uploaded meanwhile.
        throw insightErrors.insightExists({ name: insightName, group: group.name })
      },
    })
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

    const given = Object.fromEntries(
      body.fields.filter(isFree).map(({ name, value }) => [name, value] as const),
    )
    checkSelfActivation(given)
    const { renamed_from: _name, moved_here: _moved, ...kept } = stored.fields
    const told = {
      ...(newInsightName === oldInsightName ? {} : { renamed_from: oldInsightName }),
      ...(group.id === oldGroup.id ? {} : { moved_here: 'true' }),
    }
    const fields = { ...kept, ...given, insight_type: type, ...infoFields(body), ...told }
    const before = await contentBefore(principal, stored)
    const check = async (fid: string) => {
      if (expectedFileId === undefined || (await versionBefore(principal, fid)) === stored.fid) return
      // A file of this name was uploaded meanwhile.
      throw changed()
    }
    const saveAs = (insightName: string, asBefore: InsightContent | undefined) =>
      save(principal, { group, insightName, fields, content, before: asBefore, check })
    if (group.id === oldGroup.id && newInsightName === oldInsightName) return saveAs(oldInsightName, before)
    definitionText(withTextSources(content, newInsightName))
    const renaming = { oldGroup, oldInsightName, group, newInsightName }
    const takeBack = await rename(principal, renaming)
    const moved: TextMove[] = []
    try {
      for (const text of textMoves(before, oldInsightName, newInsightName))
        if (await renameText(principal, renaming, text)) moved.push(text)
      // A text whose file stayed behind is written anew.
      return await saveAs(newInsightName, before && withMovedTexts(before, oldInsightName, moved))
    } catch (error) {
      // What was not saved keeps its name; if that cannot be had either, the first error says more.
      await renameBack(principal, renaming, { moved, takeBack }).catch(() => undefined)
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
    const refused = await publishing.groupsNotAllowed(principal, upgraded)
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
