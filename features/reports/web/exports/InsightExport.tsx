import { useEffect, useMemo, useState } from 'react'
import {
  Button,
  Dialog,
  ErrorNote,
  formatTime,
  message,
  saveBlob,
  Select,
  useTimeZone,
} from '@headwater/web-kit'
import type { Tile } from '@headwater/tile-data/contract'
import { useInsightData } from '@headwater/tile-data/web'
import { fileNameOf, formatOmission, loadXlsx, reportOmission, useExportHost } from '@headwater/tiles/web'
import { maxPrintedRows, type HeaderBox } from '@headwater/tile-data/core'
import styles from './InsightExport.module.css'
import { estimatePages, type MeasuredPart } from './page-estimate.ts'
import { type Paper, papers, PrintDocument, type PrintedInsight, type PrintPart } from './PrintDocument.tsx'
import { printedParams } from './printed-params.ts'
import type { InsightExportForm } from './whole-insight-export.ts'
import { boxParts, type ExportPart, readyParts, sheetsOf } from './whole-insight.ts'

const rowChoices = [
  { value: 'all', label: 'All rows', maxRows: maxPrintedRows },
  { value: 'first', label: 'First 50 rows of each table', maxRows: 50 },
] as const
type RowChoice = (typeof rowChoices)[number]['value']

/** Dialog that exports a whole insight: waits for its tiles and shows the progress. */
export default function InsightExport({
  form,
  insight,
  tiles,
  boxes,
  onClose,
}: {
  form: InsightExportForm
  insight: { insightName: string; groupName: string; description: string }
  /** Tiles to export, in their order. */
  tiles: readonly Tile[]
  boxes: readonly HeaderBox[]
  onClose: () => void
}) {
  const { exports } = useExportHost()
  const data = useInsightData()
  const params = useMemo(() => printedParams(data), [data])
  const timeZone = useTimeZone()
  const [paper, setPaper] = useState<Paper>('a4-portrait')
  const [rowChoice, setRowChoice] = useState<RowChoice>('all')
  const { width } = papers.find(({ value }) => value === paper)!
  const { maxRows } = rowChoices.find(({ value }) => value === rowChoice)!
  const [ready, setReady] = useState(0)
  const [loaded, setLoaded] = useState<{ parts: readonly ExportPart[]; measured: readonly MeasuredPart[] }>()
  const [isPrinting, setPrinting] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [printed, setPrinted] = useState<PrintedInsight>()
  const printedAt = () => {
    const now = new Date()
    return `${formatTime(now, timeZone, 'datetime', now)} ${timeZone}`
  }

  useEffect(() => {
    const ending = new AbortController()
    async function load() {
      const parts = await readyParts(tiles, exports, { signal: ending.signal, onProgress: setReady })
      if (form === 'pdf') {
        const measured = await Promise.all(parts.map(measuredPart))
        if (!ending.signal.aborted) setLoaded({ parts, measured })
        return
      }
      const { xlsxOf } = await loadXlsx()
      const heads = boxParts(boxes, exports)
      const sheets = await sheetsOf({ ...insight, savedAt: printedAt(), params, boxes: heads, parts })
      const workbook = await xlsxOf(sheets)
      ending.signal.throwIfAborted()
      saveBlob(workbook, fileNameOf(insight.insightName, 'xlsx'))
      message('Download started.')
      // The first sheet contains the notes about all others.
      reportOmission(
        sheets.map(({ table }) => formatOmission(table.rows)).find((omission) => omission !== undefined),
      )
      onClose()
    }
    load().catch((error: unknown) => {
      if (!ending.signal.aborted) setProblem(error)
    })
    return () => ending.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- the export has the content of the time when it started
  }, [])

  useEffect(() => {
    if (!isPrinting || loaded === undefined) return
    const ending = new AbortController()
    const made: string[] = []
    async function draw(parts: readonly ExportPart[]) {
      const printParts = await inLightScheme(() =>
        Promise.all(parts.map((part) => toPrintPart(part, width, made))),
      )
      ending.signal.throwIfAborted()
      const figures = boxParts(boxes, exports).map(({ title, exported }) => ({
        title,
        text: exported.figure?.() ?? '',
      }))
      setPrinted({ ...insight, printedAt: printedAt(), params, figures, parts: printParts, maxRows })
    }
    draw(loaded.parts).catch((error: unknown) => {
      if (!ending.signal.aborted) setProblem(error)
    })
    return () => {
      ending.abort()
      for (const address of made) URL.revokeObjectURL(address)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the document has the choices of the time when it started
  }, [isPrinting])

  const title = form === 'pdf' ? 'Print or save as PDF' : 'Save as XLSX'
  const pages = loaded === undefined ? undefined : estimatePages(loaded.measured, { paper, width, maxRows })
  return (
    <>
      <Dialog
        open
        title={title}
        width={420}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>Cancel</Button>
            {form !== 'pdf' || isPrinting ? null : (
              <Button
                variant="primary"
                disabled={loaded === undefined || problem !== undefined}
                onClick={() => setPrinting(true)}
              >
                Print
              </Button>
            )}
          </>
        }
      >
        {problem === undefined ? null : <ErrorNote error={problem} />}
        {isPrinting || loaded === undefined ? (
          <div className={styles.progress}>
            <progress max={Math.max(1, tiles.length)} value={ready} aria-label="Tiles that are ready" />
            <p role="status">
              {printed === undefined
                ? `${ready} of ${tiles.length} tiles are ready`
                : 'Choose a printer or “Save as PDF” in the browser dialog.'}
            </p>
          </div>
        ) : (
          <div className={styles.options}>
            <p role="status">{pages === 1 ? 'About one page.' : `About ${pages} pages.`}</p>
            <Select
              label="Rows"
              value={rowChoice}
              options={rowChoices.map(({ value, label }) => ({ value, label }))}
              onChange={(next) => setRowChoice((next ?? rowChoice) as RowChoice)}
            />
            <Select
              label="Paper"
              value={paper}
              options={papers.map(({ value, label }) => ({ value, label }))}
              onChange={(next) => setPaper((next ?? paper) as Paper)}
            />
          </div>
        )}
      </Dialog>
      {printed === undefined ? null : <PrintDocument insight={printed} paper={paper} onPrinted={onClose} />}
    </>
  )
}

/** Measures a tile for the estimate of pages. */
async function measuredPart({ exported }: ExportPart): Promise<MeasuredPart> {
  const { state, problem, picture, html, table, note } = exported
  if (state !== 'ready') return { characters: problem?.length ?? 0 }
  if (picture !== undefined) return { isPicture: true }
  if (html !== undefined) return { characters: html().replace(/<[^>]*>/g, '').length }
  if (table !== undefined) return { rows: (await table()).rows.length }
  return { characters: note?.length ?? 0 }
}

/**
 * Renders a tile for paper. Charts are images as wide as the page, so that their texts have one size.
 * @param made receives the object URLs of images, to be revoked after printing
 */
async function toPrintPart(
  { id, title, exported }: ExportPart,
  width: number,
  made: string[],
): Promise<PrintPart> {
  const { state, problem, picture, html, table, note } = exported
  const part = (content: PrintPart['content'], omission = exported.omission): PrintPart => ({
    id,
    title,
    content,
    omission,
  })
  if (state !== 'ready')
    return part({ kind: 'note', text: problem ?? 'The image could not be loaded. Try again.' })
  if (picture !== undefined) {
    const address = URL.createObjectURL(await picture({ width }))
    made.push(address)
    return part({ kind: 'picture', address })
  }
  if (html !== undefined) return part({ kind: 'html', html: html() })
  if (table !== undefined) {
    const made = await table()
    return part({ kind: 'table', table: made }, made.omission)
  }
  return part({ kind: 'note', text: note ?? 'This tile has nothing to print.' })
}

/** Runs `work` while the page has the light colour scheme, as paper does. */
async function inLightScheme<T>(work: () => Promise<T>): Promise<T> {
  const root = document.documentElement
  const name = 'data-mantine-color-scheme'
  const before = root.getAttribute(name)
  if (before === 'light') return work()
  root.setAttribute(name, 'light')
  try {
    // Charts redraw after the change.
    await new Promise((resolve) => setTimeout(resolve, 50))
    return await work()
  } finally {
    if (before === null) root.removeAttribute(name)
    else root.setAttribute(name, before)
  }
}
