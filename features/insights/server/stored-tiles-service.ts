import { isUuid } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { MemberChoices, OpenMemberTiles, OpenTiles } from '@headwater/tile-data/server'
import { DefinitionError, insightErrors } from '../contract/index.ts'
import type { DefinitionCache } from './definition-cache.ts'
import type { InsightAccess } from './insight-access.ts'
import type { InsightFiles } from './insight-files.ts'
import type { InsightItems } from './insight-items.ts'

/** The service of tiles of stored insights. */
export type StoredTilesService = ReturnType<typeof createStoredTilesService>

/** Creates the service that opens tiles of stored insights for signed-in users. */
export function createStoredTilesService({
  insights,
  insightAccess,
  files,
  insightFiles,
  definitions,
  openTiles,
}: {
  insights: Pick<InsightItems['insights'], 'find'>
  insightAccess: Pick<InsightAccess, 'namesOf'>
  files: Pick<Files, 'getReadable'>
  insightFiles: Pick<InsightFiles, 'readContent'>
  definitions: DefinitionCache
  openTiles: OpenMemberTiles
}) {
  /** Returns the file of a version. Throws if the user cannot read it. */
  async function fileOf(principal: Principal, id: string, version: number | undefined) {
    const item = isUuid(id) ? await insights.find({ id }, version) : undefined
    const file = item && (await unlessRefused(files.getReadable(principal, item.content.fileId)))
    if (file !== undefined) return file
    const { insightName: name } = await insightAccess.namesOf(principal, id)
    throw version === undefined
      ? insightErrors.insightGone()
      : insightErrors.versionNotFound({ name, version })
  }

  return {
    /**
     * Opens tiles of a version of an insight.
     * @param insight.version default: the newest
     */
    async open(
      principal: Principal,
      { id, version }: { id: string; version?: number | undefined },
      choices: MemberChoices,
    ): Promise<OpenTiles> {
      const { id: fid, sizeBytes, name } = await fileOf(principal, id, version)
      const file = { fid, sizeBytes }
      try {
        const content = await definitions.get(file, () => insightFiles.readContent(principal, file))
        return openTiles(principal, content, choices)
      } catch (error) {
        if (!(error instanceof DefinitionError)) throw error
        throw insightErrors.insightDamaged({ name, problem: error.message })
      }
    },
  }
}
