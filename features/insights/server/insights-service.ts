import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { commonErrors, invalidInput, type Page, type RouteInput } from '@headwater/contract'
import { parseSearchQuery, type Principal } from '@headwater/server-kit'
import type { FieldMap } from '@headwater/files/contract'
import type { Files } from '@headwater/files/server'
import { groupName } from '@headwater/groups/contract'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'
import {
  decodeTags,
  DefinitionError,
  encodeTags,
  insightErrors,
  isTooDeep,
  isWorkflow,
  parseDefinition,
  type createInsight,
  type deleteInsight,
  type Insight,
  type InsightContent,
  type InsightSummary,
  type InsightType,
  type listInsightTags,
  type searchInsights,
  type updateInsight,
} from '../contract/index.ts'
import type { InsightLocks } from './insight-locks.ts'
import type { InsightsReadModel, StoredInsight } from './insights-read-model.ts'
import { textFilesOf, withTextSources } from './text-files.ts'
import { wildcardMatcher } from './wildcard.ts'

/** The largest definition, in bytes of JSON. */
export const maxDefinitionBytes = 4 * 1024 * 1024
/** Longest value of a metadata field of a file. */
const maxFieldCharacters = 4000
const versionsPage = 1000

export interface InsightsServiceDependencies {
  readModel: InsightsReadModel
  locks: InsightLocks
  files: Pick<Files, 'create' | 'putContent' | 'getReadable' | 'readContent' | 'listVersions' | 'remove'>
  groups: Pick<Groups, 'access' | 'create' | 'remove'>
}

export type InsightsService = ReturnType<typeof createInsightsService>

type CreateBody = RouteInput<typeof createInsight>['body']
type UpdateBody = RouteInput<typeof updateInsight>['body']
type DeleteBody = RouteInput<typeof deleteInsight>['body']

/** The rules of insights: each is a file of the type INSIGHT in a group, each save a new version of it. */
export function createInsightsService({ readModel, locks, files, groups }: InsightsServiceDependencies) {
  async function find(group: AccessibleGroup, insightName: string): Promise<StoredInsight> {
    const stored = await readModel.findFile(group.id, fileNameOf(insightName))
    if (stored?.fileType !== 'INSIGHT')
      throw insightErrors.insightNotFound({ name: insightName, group: group.name })
    return stored
  }

  async function requireFree(group: AccessibleGroup, insightName: string): Promise<void> {
    const there = await readModel.findFile(group.id, fileNameOf(insightName))
    if (there === undefined) return
    const about = { name: insightName, group: group.name }
    throw there.fileType === 'INSIGHT'
      ? insightErrors.insightExists(about)
      : insightErrors.fileInTheWay(about)
  }

  async function readText(principal: Principal, fid: string): Promise<string> {
    const stream = await files.readContent(await files.getReadable(principal, fid))
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  }

  /** The content of a version; a DefinitionError when it is none. */
  async function readContent(principal: Principal, stored: StoredInsight): Promise<InsightContent> {
    if (stored.sizeBytes > maxDefinitionBytes * 2) throw new DefinitionError('it is too large.')
    return parseDefinition(await readText(principal, stored.fid), randomUUID)
  }

  async function writeFile(
    principal: Principal,
    file: { groupName: string; fileName: string; fileType: string; fields?: FieldMap; text: string },
  ): Promise<string> {
    const fields = Object.entries(file.fields ?? {}).map(([name, value]) => ({ name, value }))
    const { fileId, token } = await files.create(
      principal,
      { groupName: file.groupName, fileName: file.fileName, fileType: file.fileType, fields, zipped: false },
      undefined,
    )
    const bytes = Buffer.from(file.text, 'utf8')
    await files.putContent(fileId, token, {
      stream: Readable.from([bytes]),
      announcedBytes: bytes.length,
      announcedHash: undefined,
    })
    return fileId
  }

  /** Writes the texts of text tiles into files of their own, then the definition; answers with the id of its version. */
  async function save(
    principal: Principal,
    given: {
      group: AccessibleGroup
      insightName: string
      fields: FieldMap
      content: InsightContent
      before: InsightContent | undefined
    },
  ): Promise<string> {
    const { group, insightName, content, before } = given
    const text = definitionText(withTextSources(content, insightName))
    for (const file of textFilesOf(content, insightName, before))
      await writeFile(principal, { ...file, groupName: group.name, fileType: 'MARKDOWN' })
    return writeFile(principal, {
      groupName: group.name,
      fileName: fileNameOf(insightName),
      fileType: 'INSIGHT',
      fields: given.fields,
      text,
    })
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

  async function saveNew(
    principal: Principal,
    given: { group: AccessibleGroup; insightName: string; fields: FieldMap; content: InsightContent },
  ): Promise<string> {
    const { group, insightName } = given
    await requireFree(group, insightName)
    const id = await save(principal, { ...given, before: undefined })
    if ((await versionBefore(principal, id)) === undefined) return id
    // A file of this name was uploaded meanwhile.
    await files.remove(principal, id)
    throw insightErrors.insightExists({ name: insightName, group: group.name })
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
    const stored = await find(oldGroup, oldInsightName)
    const type = typeOfContent(content)
    requireEdit(principal, typeOf(stored))
    requireEdit(principal, type)
    checkContent(content)
    const changed = () => insightErrors.insightChanged({ name: oldInsightName, owner: stored.owner })
    if (expectedFileId !== undefined && expectedFileId !== stored.fid) throw changed()

    const given = Object.fromEntries(body.fields.map(({ name, value }) => [name, value]))
    const fields = { ...stored.fields, ...given, insight_type: type, ...infoFields(body) }
    if (group.id !== oldGroup.id || newInsightName !== oldInsightName) {
      const fileId = await saveNew(principal, { group, insightName: newInsightName, fields, content })
      await removeVersions(principal, stored)
      return fileId
    }
    const before = await readContent(principal, stored).catch(() => undefined)
    const fileId = await save(principal, { group, insightName: newInsightName, fields, content, before })
    if (expectedFileId === undefined || (await versionBefore(principal, fileId)) === stored.fid) return fileId
    // A file of this name was uploaded meanwhile.
    await files.remove(principal, fileId)
    throw changed()
  }

  return {
    async search(
      principal: Principal,
      query: RouteInput<typeof searchInsights>['query'],
    ): Promise<Page<InsightSummary>> {
      const { pairs, freeText } = parseSearchQuery(query.query.replaceAll('\0', ''))
      const valueOf = (...keys: string[]) => pairs.find(({ key }) => keys.includes(key.toLowerCase()))?.value
      const types = readableTypes(principal)
      const { insights, total } = await readModel.search({
        groupIds: await groups.access.readableGroupIds(principal),
        types: query.insightType === undefined ? types : types.filter((type) => type === query.insightType),
        freeText: freeText === '' || freeText === '*' ? undefined : freeText,
        namePattern: valueOf('name', 'insightname')?.replace(/\.json$/i, ''),
        groupName: query.groupName ?? valueOf('groupname', 'groupname.keyword'),
        tag: query.tag ?? valueOf('tag', 'tags'),
        sortBy: query.sortBy,
        sortOrder: query.sortOrder,
        from: query.from,
        size: query.size,
      })
      const writable = new Map<number, boolean>()
      for (const { groupId } of insights)
        if (!writable.has(groupId)) writable.set(groupId, await mayWrite(principal, groupId))
      const items = insights.map((stored) =>
        toSummary(stored, mayEdit(principal, typeOf(stored)) && writable.get(stored.groupId) === true),
      )
      return { from: query.from, totalSize: total, items }
    },

    async get(principal: Principal, groupName: string, insightName: string): Promise<Insight> {
      const group = await groups.access.getGroup(principal, groupName, 'R')
      const stored = await find(group, insightName)
      try {
        const content = await readContent(principal, stored)
        const writeAccess = group.access !== 'R' && mayEdit(principal, typeOf(stored))
        return { ...toSummary(stored, writeAccess), version: stored.version, content }
      } catch (error) {
        if (!(error instanceof DefinitionError)) throw error
        throw insightErrors.insightDamaged({ name: insightName, problem: error.message })
      }
    },

    async create(principal: Principal, body: CreateBody): Promise<{ id: string }> {
      const type = typeOfContent(body.content)
      requireEdit(principal, type)
      checkContent(body.content)
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
      return { id }
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
        requireEdit(principal, typeOf(await find(group, insightName)))
        if (!principal.can('Lake/Groups', 'RW')) throw commonErrors.forbidden({ what: 'delete groups' })
        await groups.remove(principal, group.name)
        return
      }
      await locks.whileLocked([{ groupId: group.id, insightName }], async () => {
        const stored = await find(group, insightName)
        requireEdit(principal, typeOf(stored))
        await removeVersions(principal, stored)
      })
    },

    async listTags(
      principal: Principal,
      { query, from, size }: RouteInput<typeof listInsightTags>['query'],
    ): Promise<Page<string>> {
      const groupIds = await groups.access.readableGroupIds(principal)
      const tags = await readModel.listTags({ groupIds, types: readableTypes(principal) })
      const matches = wildcardMatcher(query.replaceAll('.*', '*'))
      const found = tags.filter(matches).sort((a, b) => a.localeCompare(b, 'en'))
      return { from, totalSize: found.length, items: found.slice(from, from + size) }
    },
  }

  async function mayWrite(principal: Principal, groupId: number): Promise<boolean> {
    const group = await groups.access.getGroupById(principal, groupId, 'R').catch(() => undefined)
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

function fileNameOf(insightName: string): string {
  return `${insightName}.json`
}

const areas: Record<InsightType, { resource: string; kind: 'visualisations' | 'workflows' }> = {
  VISUALISATION: { resource: 'Insight/Visualisations', kind: 'visualisations' },
  WORKFLOW: { resource: 'Insight/Workflows', kind: 'workflows' },
}

function readableTypes(principal: Principal): InsightType[] {
  return (['VISUALISATION', 'WORKFLOW'] as const).filter((type) => principal.can(areas[type].resource, 'R'))
}

function mayEdit(principal: Principal, type: InsightType): boolean {
  return principal.can(areas[type].resource, 'RW')
}

function requireEdit(principal: Principal, type: InsightType): void {
  if (!mayEdit(principal, type)) throw insightErrors.mayNotEdit({ kind: areas[type].kind })
}

function typeOf({ fields }: StoredInsight): InsightType {
  return fields.insight_type === 'WORKFLOW' ? 'WORKFLOW' : 'VISUALISATION'
}

function typeOfContent(content: InsightContent): InsightType {
  return isWorkflow(content) ? 'WORKFLOW' : 'VISUALISATION'
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

/** Ids and titles of tiles are unique, and the definition is not nested without end. */
function checkContent(content: InsightContent): void {
  if (isTooDeep(content))
    throw invalidInput([{ field: 'content', message: 'The definition is nested too deeply.' }])
  for (const key of ['id', 'title'] as const) {
    const seen = new Set<string>()
    content.tiles.forEach((tile, index) => {
      if (seen.has(tile[key]))
        throw invalidInput([
          {
            field: `content.tiles[${index}].${key}`,
            message: `Another tile has the ${key} “${tile[key].slice(0, 100)}” already.`,
          },
        ])
      seen.add(tile[key])
    })
  }
}

function definitionText(content: InsightContent): string {
  const text = JSON.stringify(content)
  if (Buffer.byteLength(text) > maxDefinitionBytes)
    throw insightErrors.insightTooLarge({ limitBytes: maxDefinitionBytes })
  return text
}

function toSummary(stored: StoredInsight, writeAccess: boolean): InsightSummary {
  const fields = Object.entries(stored.fields).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : value.join(', '),
  }))
  const valueOf = (name: string) => fields.find((field) => field.name === name)?.value
  const type = typeOf(stored)
  return {
    fid: stored.fid,
    insightName: stored.fileName.replace(/\.json$/, ''),
    fileName: stored.fileName,
    fileType: 'INSIGHT',
    groupName: stored.groupName,
    fields,
    description: valueOf('description') ?? '',
    tags: decodeTags(valueOf('tags')),
    type,
    isWorkflow: type === 'WORKFLOW',
    owner: stored.owner,
    modified: stored.modifiedAt.toISOString().slice(0, 19),
    writeAccess,
  }
}
