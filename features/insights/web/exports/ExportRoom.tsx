import { type ReactNode, useMemo, useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { lazyPart } from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tiles/contract'
import { PartFrame } from '../components/PartFrame.tsx'
import { headerBoxesOf, exportedTiles } from '@headwater/tiles/core'
import { useTileSight, createTileExports, ExportRoomContext } from '@headwater/tiles/web'
import type { InsightExportForm } from './InsightExport.tsx'

const InsightExport = lazyPart(() => import('./InsightExport.tsx'))
const SaveToLakeDialog = lazyPart(() => import('./SaveToLakeDialog.tsx'))

/** Lets what stands inside leave the page: tiles as files or into the lake, the whole insight as PDF or XLSX. */
export function ExportRoom({
  insight,
  content,
  exporting,
  onExported,
  children,
}: {
  /** Undefined for an insight that was never saved. */
  insight: { insightName: string; groupName: string; description: string } | undefined
  content: InsightContent
  /** What the whole insight is exported as at the moment. */
  exporting: InsightExportForm | undefined
  onExported: () => void
  children: ReactNode
}) {
  const [exports] = useState(createTileExports)
  const [savingId, setSavingId] = useState<string>()
  const sight = useTileSight()
  const maySave = useCan()('Files', 'RW', 'Lake') && insight !== undefined
  const wholeInsight = exporting !== undefined
  const room = useMemo(
    () => ({ exports, wholeInsight, saveToLake: maySave ? setSavingId : undefined }),
    [exports, wholeInsight, maySave],
  )
  const saving = savingId === undefined ? undefined : exports.find(savingId)
  return (
    <ExportRoomContext value={room}>
      {children}
      {exporting !== undefined && insight !== undefined ? (
        <PartFrame onClose={onExported}>
          <InsightExport
            form={exporting}
            insight={insight}
            tiles={exportedTiles(content.tiles, sight)}
            boxes={headerBoxesOf(content)}
            onClose={onExported}
          />
        </PartFrame>
      ) : null}
      {saving !== undefined && insight !== undefined ? (
        <PartFrame onClose={() => setSavingId(undefined)}>
          <SaveToLakeDialog
            key={savingId}
            title={content.tiles.find(({ id }) => id === savingId)?.title || 'Untitled'}
            exported={saving}
            insight={insight}
            onClose={() => setSavingId(undefined)}
          />
        </PartFrame>
      ) : null}
    </ExportRoomContext>
  )
}
