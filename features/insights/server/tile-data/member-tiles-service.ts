import type { Files } from '@headwater/files/server'
import type { Principal } from '@headwater/server-kit'
import { DefinitionError, insightErrors, tileErrors, type InsightContent } from '../../contract/index.ts'
import { appliedInsight, type PageChoices } from '../../core/applied-insight.ts'
import { queryOfPart } from '../../core/part-query.ts'
import type { RowPreview } from '../../core/row-preview.ts'
import type { DefinitionCache } from '../definition-cache.ts'
import type { InsightFiles } from '../insight-files.ts'
import type { OpenTiles } from './send-tile-data.ts'
import type { TileDataService, TileReader } from './tile-data-service.ts'

/** What members choose on the page of an insight. */
type MemberChoices = PageChoices & { preview?: RowPreview | undefined }

export type MemberTilesService = ReturnType<typeof createMemberTilesService>

/** Creates the service that opens tiles for signed-in users: of stored insights, and of drafts. */
export function createMemberTilesService({
  files,
  insightFiles,
  definitions,
  tileData,
  readerOf,
}: {
  files: Pick<Files, 'getReadable'>
  insightFiles: Pick<InsightFiles, 'readContent'>
  definitions: DefinitionCache
  tileData: Pick<TileDataService, 'read'>
  readerOf: (principal: Principal) => TileReader
}) {
  function openTiles(
    principal: Principal,
    content: InsightContent,
    { preview, ...choices }: MemberChoices,
  ): OpenTiles {
    const insight = appliedInsight(content, choices)
    return {
      groupWord: (name) => name,
      async read(tile) {
        const part = queryOfPart(tile, insight, preview)
        if (part === undefined) throw tileErrors.tileNotFound()
        return tileData.read(part, tile, readerOf(principal))
      },
    }
  }

  return {
    /** Opens tiles of a definition that is not saved. */
    openDraft: openTiles,

    /**
     * Opens tiles of a version of an insight.
     * @param id of the file of the version
     */
    async openStored(principal: Principal, id: string, choices: MemberChoices): Promise<OpenTiles> {
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
