import type { Files } from '@headwater/files/server'
import type { Principal } from '@headwater/server-kit'
import { DefinitionError, insightErrors } from '../contract/index.ts'
import type { DefinitionCache } from './definition-cache.ts'
import type { InsightFiles } from './insight-files.ts'
import type { MemberChoices, OpenMemberTiles, OpenTiles } from '@headwater/tiles/server'

export type StoredTilesService = ReturnType<typeof createStoredTilesService>

/** Creates the service that opens tiles of stored insights for signed-in users. */
export function createStoredTilesService({
  files,
  insightFiles,
  definitions,
  openTiles,
}: {
  files: Pick<Files, 'getReadable'>
  insightFiles: Pick<InsightFiles, 'readContent'>
  definitions: DefinitionCache
  openTiles: OpenMemberTiles
}) {
  return {
    /**
     * Opens tiles of a version of an insight.
     * @param id of the file of the version
     */
    async open(principal: Principal, id: string, choices: MemberChoices): Promise<OpenTiles> {
      const file = await files.getReadable(principal, id)
      const version = { fid: file.id, sizeBytes: file.sizeBytes }
      try {
        const content = await definitions.get(version, () => insightFiles.readContent(principal, version))
        return openTiles(principal, content, choices)
      } catch (error) {
        if (!(error instanceof DefinitionError)) throw error
        throw insightErrors.insightDamaged({ name: file.name, problem: error.message })
      }
    },
  }
}
