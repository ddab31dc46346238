import { commonErrors, invalidInput, pathOf, type RouteInput } from '@headwater/contract'
import type { FieldMap } from '@headwater/files/contract'
import { groupName } from '@headwater/groups/contract'
import type { AccessibleGroup } from '@headwater/groups/server'
import type { Principal } from '@headwater/server-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import {
  DefinitionError,
  insightErrors,
  putInsightLogo,
  upgradeContent,
  type createInsight as createRoute,
  type updateInsight as updateRoute,
} from '../contract/index.ts'
import { checkContent, definitionText } from './definition-checks.ts'
import { requireEdit, typeOf, typeOfContent } from './insight-access.ts'
import { checkSelfActivation, infoFields, isFree } from './insight-fields.ts'
import type { InsightStorage } from './insight-storage.ts'
import { isPublic, nameOf } from './insight-summary.ts'
import type { StoredInsight } from './insights-read-model.ts'
import { textMoves, withMovedTexts, withTextSources, type TextMove } from './text-files.ts'
import { isError, writeInsight } from './write-insight.ts'

type CreateBody = RouteInput<typeof createRoute>['body']
type UpdateBody = RouteInput<typeof updateRoute>['body']

/**
 * Saves a new insight and, if requested, creates its group.
 * @throws insightExists
 */
export async function createInsight(
  storage: InsightStorage,
  principal: Principal,
  body: CreateBody,
): Promise<{ id: string; logoLocation: string }> {
  const type = typeOfContent(body.content)
  requireEdit(principal, type)
  checkContent(body.content)
  definitionText(withTextSources(upgradeContent(body.content, storage.createId), body.insightName))
  if (body.shouldCreateGroup) await createGroup(storage, principal, body.groupName)
  const group = await storage.groups.access.getGroup(principal, body.groupName, 'RW')
  const fields: FieldMap = {
    Origin: 'INSIGHT_BUILDER',
    insight_type: type,
    ...infoFields(body),
    ...(body.logoId === undefined ? {} : { logo: body.logoId }),
    ...(body.useUserToken === undefined ? {} : { use_user_token: String(body.useUserToken) }),
  }
  const { content, insightName } = body
  const id = await storage.locks.whileLocked([{ groupId: group.id, insightName }], () =>
    saveNew(storage, principal, { group, insightName, fields, content }),
  )
  return { id, logoLocation: pathOf(putInsightLogo.path, { groupName: group.name, insightName }) }
}

/**
 * Saves a new version of an insight, optionally with a new name and group.
 * @throws insightChanged if the newest version is not the expected one, insightExists, saveWouldPublish
 */
export async function updateInsight(
  storage: InsightStorage,
  principal: Principal,
  body: UpdateBody,
): Promise<{ fileId: string }> {
  const { oldInsightName, newInsightName = oldInsightName } = body
  const oldGroup = await storage.groups.access.getGroup(principal, body.oldGroupName, 'RW')
  const newGroupName = body.newGroupName ?? oldGroup.name
  const group =
    newGroupName === oldGroup.name
      ? oldGroup
      : await storage.groups.access.getGroup(principal, newGroupName, 'RW')
  const locked = [
    { groupId: oldGroup.id, insightName: oldInsightName },
    { groupId: group.id, insightName: newInsightName },
  ]
  const fileId = await storage.locks.whileLocked(locked, () =>
    saveChange(storage, principal, body, { oldGroup, group, newInsightName }),
  )
  return { fileId }
}

async function saveNew(
  storage: InsightStorage,
  principal: Principal,
  given: { group: AccessibleGroup; insightName: string; fields: FieldMap; content: InsightContent },
): Promise<string> {
  const { group, insightName } = given
  await storage.insightFiles.requireFree(group, insightName)
  try {
    return await writeInsight(storage, principal, { ...given, before: undefined, basedOn: null })
  } catch (error) {
    // A file with this name was uploaded in the meantime.
    throw isError(error, 'notNewestVersion')
      ? insightErrors.insightExists({ name: insightName, group: group.name })
      : error
  }
}

async function saveChange(
  storage: InsightStorage,
  principal: Principal,
  body: UpdateBody,
  {
    oldGroup,
    group,
    newInsightName,
  }: { oldGroup: AccessibleGroup; group: AccessibleGroup; newInsightName: string },
): Promise<string> {
  const { content, oldInsightName, expectedFileId } = body
  const stored = await storage.insightFiles.find(oldGroup, oldInsightName)
  const type = typeOfContent(content)
  requireEdit(principal, typeOf(stored))
  requireEdit(principal, type)
  checkContent(content)
  const changed = () => insightErrors.insightChanged({ name: oldInsightName, owner: stored.owner })
  if (expectedFileId !== undefined && expectedFileId !== stored.fid) throw changed()

  await requirePublishable(storage, principal, stored, content)

  const chosen = Object.fromEntries(
    body.fields.filter(isFree).map(({ name, value }) => [name, value] as const),
  )
  checkSelfActivation(chosen)
  const { renamed_from: _name, moved_here: _moved, ...others } = stored.fields
  const saveFields = {
    ...(newInsightName === oldInsightName ? {} : { renamed_from: oldInsightName }),
    ...(group.id === oldGroup.id ? {} : { moved_here: 'true' }),
  }
  const before = await contentBefore(storage, principal, stored)
  const given = {
    group,
    insightName: newInsightName,
    fields: { ...others, ...chosen, insight_type: type, ...infoFields(body), ...saveFields },
    content,
    basedOn: expectedFileId,
  }
  try {
    if (group.id === oldGroup.id && newInsightName === oldInsightName)
      return await writeInsight(storage, principal, { ...given, before })
    await storage.insightFiles.requireFree(group, newInsightName)
    const texts = await movableTexts(
      storage,
      textMoves(before, oldInsightName, newInsightName),
      oldGroup.id,
      group.id,
    )
    return await writeInsight(storage, principal, {
      ...given,
      before: before && withMovedTexts(before, oldInsightName, texts),
      renaming: { oldGroup, oldInsightName, texts },
    })
  } catch (error) {
    // A file with this name was uploaded in the meantime.
    if (isError(error, 'notNewestVersion')) throw changed()
    if (isError(error, 'notMovable')) {
      await storage.insightFiles.requireFree(group, newInsightName)
      await storage.insightFiles.find(oldGroup, oldInsightName)
    }
    throw error
  }
}

/** Returns the files of texts that can be renamed: those that exist and whose new name is free. */
async function movableTexts(
  storage: InsightStorage,
  texts: readonly TextMove[],
  from: number,
  to: number,
): Promise<TextMove[]> {
  const movable: TextMove[] = []
  for (const text of texts) {
    const isFree =
      !movable.some((other) => other.to === text.to) &&
      (await storage.readModel.findFile(to, text.to)) === undefined
    if (isFree && (await storage.readModel.findFile(from, text.from)) !== undefined) movable.push(text)
  }
  return movable
}

/** Returns the stored content; undefined if it is damaged, because a damaged insight can still be saved or deleted. */
export async function contentBefore(
  storage: InsightStorage,
  principal: Principal,
  stored: StoredInsight,
): Promise<InsightContent | undefined> {
  try {
    return await storage.insightFiles.readContent(principal, stored)
  } catch (error) {
    if (error instanceof DefinitionError) return undefined
    throw error
  }
}

/** A user who saves a public insight publishes its content. */
async function requirePublishable(
  storage: InsightStorage,
  principal: Principal,
  stored: StoredInsight,
  content: InsightContent,
): Promise<void> {
  if (!isPublic(stored, storage.clock.now())) return
  const upgraded = upgradeContent(content, storage.createId)
  const refused = await storage.groupsNotAllowed(principal, upgraded)
  if (refused.length > 0) throw insightErrors.saveWouldPublish({ name: nameOf(stored), groups: refused })
}

async function createGroup(storage: InsightStorage, principal: Principal, name: string): Promise<void> {
  if (!principal.can('Lake/Groups', 'RW')) throw commonErrors.forbidden({ what: 'create groups' })
  const valid = groupName.safeParse(name)
  if (!valid.success)
    throw invalidInput([
      { field: 'groupName', message: valid.error.issues[0]?.message ?? 'Choose another name.' },
    ])
  try {
    await storage.groups.create(principal, { name, description: '', fields: [], groupTags: [] })
  } catch (error) {
    if ((error as { code?: string }).code !== 'groupExists') throw error
  }
}
