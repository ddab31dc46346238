import type { AccessibleGroup } from '@headwater/groups/server'
import type { ItemLink } from '@headwater/items/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import type { InsightStorage } from './insight-storage.ts'
import { textsOf, type TextFile } from './text-files.ts'

/**
 * Deletes the files of the texts that an insight no longer contains, with all versions. A file is preserved
 * if its content differs from the text, because somebody else changed it, if it is named after another
 * insight, if another object uses it, or if the user cannot delete it. Never throws: the insight is saved or
 * deleted already, and a remaining file does not affect it.
 * @param before the definition that is replaced; undefined if it is damaged
 * @param after the definition that replaces it; undefined if the insight is deleted
 */
export async function removeUnusedTexts(
  storage: InsightStorage,
  principal: Principal,
  {
    group,
    insightName,
    before,
    after,
  }: {
    group: AccessibleGroup
    insightName: string
    before: InsightContent | undefined
    after?: InsightContent
  },
): Promise<void> {
  if (before === undefined) return
  const remaining = new Set(
    after === undefined ? [] : textsOf(after, insightName).map(({ fileName }) => fileName),
  )
  for (const text of textsOf(before, insightName)) {
    // A definition can come from elsewhere and name any file.
    if (remaining.has(text.fileName) || !text.fileName.startsWith(`${insightName}_`)) continue
    await removeText(storage, principal, group, text).catch(() => undefined)
  }
}

async function removeText(
  { files, readModel, insightFiles, references }: InsightStorage,
  principal: Principal,
  group: AccessibleGroup,
  { fileName, fileType, text }: TextFile,
): Promise<void> {
  const file = await readModel.findFile(group.id, fileName)
  if (file === undefined || file.fileType !== fileType) return
  const content = await unlessRefused(insightFiles.readText(principal, file))
  if (content !== text) return
  const versionIds = await files.versionIds({ groupId: group.id, name: fileName }, fileType)
  const links: ItemLink[] = [
    ...versionIds.map((target): ItemLink => ({ type: 'file', target })),
    { type: 'file', group: group.name, target: fileName },
  ]
  const users = await references(links, { scope: group.scope, kinds: [], from: 0, size: 0 })
  if (users.total + users.hidden > 0) return
  for (const fid of versionIds) await files.remove(principal, fid)
}
