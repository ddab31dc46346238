import { type ReactNode, useMemo, useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { lazyPart, useShortcut } from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import type { Insight } from '@headwater/insights/contract'
import { PartFrame } from '@headwater/insights/web'
import { headerBoxesOf, exportedTiles } from '@headwater/tile-data/core'
import { useTileSight, createTileExports, ExportHostContext } from '@headwater/tiles/web'
import { type InsightExportForm, WholeInsightExportContext } from './whole-insight-export.ts'

const InsightExport = lazyPart(() => import('./InsightExport.tsx'))
const SaveToLakeDialog = lazyPart(() => import('./SaveToLakeDialog.tsx'))

/** Provides exports to the page inside: tiles as files or to the lake, the whole insight as PDF or XLSX. */
export default function ExportFrame({
  insight,
  content,
  editing,
  isFree,
  children,
}: {
  /** The saved insight; undefined for one that is not saved. */
  insight: Insight | undefined
  content: InsightContent
  /** Whether the user edits the insight, which disables exports. */
  editing: boolean
  /** Whether no dialog of the page is open. */
  isFree: boolean
  children: ReactNode
}) {
  const [exports] = useState(createTileExports)
  const [chosen, setExporting] = useState<InsightExportForm>()
  const exporting = editing ? undefined : chosen
  const onExported = () => setExporting(undefined)
  const [savingId, setSavingId] = useState<string>()
  const sight = useTileSight()
  const canSave = useCan()('Files', 'RW', 'Lake') && insight !== undefined
  const wholeInsight = exporting !== undefined
  const context = useMemo(
    () => ({ exports, wholeInsight, saveToLake: canSave ? setSavingId : undefined }),
    [exports, wholeInsight, canSave],
  )
  useShortcut('mod+p', () => setExporting('pdf'), {
    label: 'Print or save as PDF',
    enabled: isFree && !editing && chosen === undefined,
  })
  const saving = savingId === undefined ? undefined : exports.find(savingId)
  return (
    <ExportHostContext value={context}>
      <WholeInsightExportContext value={setExporting}>{children}</WholeInsightExportContext>
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
    </ExportHostContext>
  )
}
