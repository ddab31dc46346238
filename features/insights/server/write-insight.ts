import { AppError } from '@headwater/contract'
import type { fileErrors, FieldMap } from '@headwater/files/contract'
import type { FileMove } from '@headwater/files/server'
import type { AccessibleGroup } from '@headwater/groups/server'
import type { Principal } from '@headwater/server-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import { upgradeContent } from '../contract/index.ts'
import { definitionText } from './definition-checks.ts'
import { fileNameOf } from './insight-files.ts'
import type { InsightStorage } from './insight-storage.ts'
import { removeUnusedTexts } from './remove-texts.ts'
import { storeTexts, type TextMove } from './text-files.ts'

/** A rename or move of an insight as part of a save. */
export interface Renaming {
  /** The group before the save. */
  oldGroup: AccessibleGroup
  /** The name before the save, without `.json`. */
  oldInsightName: string
  /** Files of texts to rename with it. */
  texts: readonly TextMove[]
}

/**
 * Writes the texts of text tiles to separate files, then the definition. The version of the definition and the rename
 * are in one transaction. If it fails, the new texts are deleted again. Files of texts that the insight no longer contains are deleted.
 * @param given.basedOn id of the version that must still be the newest one; null: none must exist; undefined: any
 * @returns id of the new version
 */
export async function writeInsight(
  storage: InsightStorage,
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
  // Older clients send older formats, and uploaded templates contain them.
  const { content, files: texts } = await storeTexts(
    upgradeContent(given.content, storage.createId),
    insightName,
    {
      before,
      isTaken: async (name) => (await storage.readModel.findFile(group.id, name)) !== undefined,
    },
  )
  const text = definitionText(content)
  const written: string[] = []
  try {
    for (const { fileName, fileType, text: own } of texts) {
      // A text tile that is renamed below gets its new version first.
      const from = renaming?.texts.find(({ to }) => to === fileName)?.from
      const location =
        renaming === undefined || from === undefined
          ? { groupName: group.name, fileName }
          : { groupName: renaming.oldGroup.name, fileName: from }
      written.unshift(await storage.insightFiles.write(principal, { ...location, fileType, content: own }))
    }
    const fileId = await storage.insightFiles.write(principal, {
      groupName: group.name,
      fileName: fileNameOf(insightName),
      fileType: 'INSIGHT',
      fields: given.fields,
      content: text,
      basedOn,
      moves: renaming === undefined ? [] : movesOf(renaming, { group, insightName }),
    })
    await removeUnusedTexts(storage, principal, { group, insightName, before, after: content })
    return fileId
  } catch (error) {
    for (const fid of written)
      await storage.files.remove(principal, fid, { isPermanent: true }).catch(() => undefined)
    throw error
  }
}

/** Returns the files that are renamed with an insight: its own versions and its texts. */
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

/** Returns whether an error is a file error with this code. */
export function isError(error: unknown, code: keyof typeof fileErrors): boolean {
  return error instanceof AppError && error.code === code
}
