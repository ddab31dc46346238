import type { Page } from '@headwater/contract'
import { createWorkLimit, type Principal } from '@headwater/server-kit'
import type { File } from '@headwater/files/contract'
import { type InsightContent } from '@headwater/tile-data/contract'
import {
  DefinitionError,
  diffContents,
  insightErrors,
  type Insight,
  type InsightVersion,
  type VersionChanges,
} from '../contract/index.ts'
import type { AccessibleInsight, InsightNames } from './insight-access.ts'
import { insightNameOf } from './insight-items.ts'
import type { InsightStorage } from './insight-storage.ts'
import { presentInsight } from './read-insights.ts'
import { updateInsight } from './save-insight.ts'
import type { StoredInsight } from './insights-read-model.ts'

/** The service of versions of insights. */
export type VersionsService = ReturnType<typeof createVersionsService>

/** Fields of a file whose changes are listed as changes of the insight. */
const comparedFields = ['description', 'tags', 'logo', 'is_self_activation_required', 'self_activation_tiles']
const versionsPage = 1000
/** Maximum number of version lists that read definitions concurrently; further lists wait. */
const listsAtOnce = 2

/** Implements the versions of insights. Each save creates a version, and each version can be viewed and restored. */
export function createVersionsService(storage: InsightStorage) {
  const { insightAccess, insightFiles, files } = storage
  const limit = createWorkLimit(listsAtOnce)

  async function contentOf(principal: Principal, file: File): Promise<InsightContent | undefined> {
    try {
      return await insightFiles.readContent(principal, { fid: file.fid, sizeBytes: file.size })
    } catch (error) {
      if (error instanceof DefinitionError) return undefined
      throw error
    }
  }

  /** Returns one version of an insight as its file; throws versionNotFound for a missing number. */
  async function findVersion(
    principal: Principal,
    { stored }: AccessibleInsight,
    version: number,
  ): Promise<StoredInsight> {
    for (let from = 0; ; from += versionsPage) {
      const { items } = await files.listVersions(principal, stored.fid, { from, size: versionsPage })
      const file = items.find((each) => each.version === version)
      if (file?.fileType === 'INSIGHT') return asStored(stored, file)
      if (file !== undefined || items.length < versionsPage)
        throw insightErrors.versionNotFound({ name: insightNameOf(stored.fileName), version })
    }
  }

  return {
    async list(
      principal: Principal,
      names: InsightNames,
      { from, size }: { from: number; size: number },
    ): Promise<Page<InsightVersion>> {
      const { stored } = await insightAccess.toRead(principal, names)
      // Reads one more than requested, to compare with the oldest version of the page.
      const page = await files.listVersions(principal, stored.fid, { from, size: size + 1 })
      const items: InsightVersion[] = []
      // Definitions can be large, so only two definitions per list, and only a few lists, are in memory at the same
      // time.
      await limit(async () => {
        let content = page.items[0] && (await contentOf(principal, page.items[0]))
        for (const [index, file] of page.items.slice(0, size).entries()) {
          const before = page.items[index + 1]
          const contentBefore = before && (await contentOf(principal, before))
          items.push({
            fid: file.fid,
            version: file.version,
            author: file.owner,
            saved: file.arrivalTime,
            tiles: content?.tiles.length ?? 0,
            readable: content !== undefined,
            changes:
              before === undefined
                ? null
                : changesOf({ file: before, content: contentBefore }, { file, content }),
          })
          content = contentBefore
        }
      })
      return { from, totalSize: page.totalSize, items }
    },

    async get(principal: Principal, names: InsightNames, version: number): Promise<Insight> {
      const accessible = await insightAccess.toRead(principal, names)
      return presentInsight(storage, principal, {
        ...accessible,
        stored: await findVersion(principal, accessible, version),
      })
    },

    async restore(
      principal: Principal,
      names: InsightNames,
      { version, expectedFileId }: { version: number; expectedFileId?: string | undefined },
    ): Promise<{ fileId: string }> {
      const accessible = await insightAccess.toEdit(principal, names)
      const old = await presentInsight(storage, principal, {
        ...accessible,
        stored: await findVersion(principal, accessible, version),
      })
      return updateInsight(storage, principal, {
        oldGroupName: names.groupName,
        oldInsightName: names.insightName,
        // Restores into the viewed insight only, not into an insight of the same name that was created in the meantime.
        expectedFileId: expectedFileId ?? accessible.stored.fid,
        fields: [{ name: 'description', value: old.description }],
        tags: old.tags,
        waitForUpload: true,
        content: old.content,
      })
    },
  }
}

function asStored(latest: StoredInsight, file: File): StoredInsight {
  return {
    ...latest,
    fid: file.fid,
    fileType: file.fileType,
    fields: file.fields,
    owner: file.owner,
    version: file.version,
    sizeBytes: file.size,
    modifiedAt: new Date(`${file.arrivalTime}Z`),
  }
}

interface Version {
  file: File
  content: InsightContent | undefined
}

function changesOf(before: Version, after: Version): VersionChanges | null {
  if (before.content === undefined || after.content === undefined) return null
  const { tiles, reordered, rest } = diffContents(before.content, after.content)
  const titlesOf = (change: string) =>
    tiles.filter((tile) => tile.change === change).map(({ title }) => title)
  const changed = comparedFields.filter(
    (name) => String(before.file.fields[name] ?? '') !== String(after.file.fields[name] ?? ''),
  )
  return {
    added: titlesOf('added'),
    removed: titlesOf('removed'),
    changed: titlesOf('changed'),
    reordered,
    renamedFrom: typeof after.file.fields.renamed_from === 'string' ? after.file.fields.renamed_from : null,
    moved: after.file.fields.moved_here === 'true',
    rest: [...changed, ...new Set(rest.map(({ path }) => path.split(/[.[]/)[0] ?? path))],
  }
}
