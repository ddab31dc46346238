import { useEffect, useMemo, useState } from 'react'
import {
  Button,
  Dialog,
  ErrorNote,
  formatMoment,
  message,
  saveBlob,
  Select,
  useTimeZone,
} from '@headwater/web-kit'
import type { Tile } from '../../contract/index.ts'
import { fileNameOf } from '../components/file-name.ts'
import type { HeaderBox } from '../header-boxes/header-box.ts'
import { useAppliedParams } from '../params/use-applied-params.ts'
import styles from './InsightExport.module.css'
import { type Paper, papers, PrintDocument, type PrintedInsight, type PrintPart } from './PrintDocument.tsx'
import { printedParams } from './printed-params.ts'
import { useExportRoom } from './tile-exports.ts'
import { boxParts, type ExportPart, readyParts, sheetsOf } from './whole-insight.ts'

/** What the export of a whole insight becomes. */
export type InsightExportForm = 'pdf' | 'xlsx'

/** Exports a whole insight: waits for all its tiles and tells how far they are. */
export default function InsightExport({
  form,
  insight,
  tiles,
  boxes,
  onClose,
}: {
  form: InsightExportForm
  insight: { insightName: string; groupName: string; description: string }
  /** The tiles that are exported, in their order. */
  tiles: readonly Tile[]
  boxes: readonly HeaderBox[]
  onClose: () => void
}) {
  const { exports } = useExportRoom()
  const { sets } = useAppliedParams()
  const params = useMemo(() => printedParams(sets), [sets])
  const timeZone = useTimeZone()
  const [paper, setPaper] = useState<Paper>('a4-portrait')
  const [begun, setBegun] = useState(form === 'xlsx')
  const [ready, setReady] = useState(0)
  const [problem, setProblem] = useState<unknown>()
  const [printed, setPrinted] = useState<PrintedInsight>()

  useEffect(() => {
    if (!begun) return
    const ending = new AbortController()
    const made: string[] = []
    async function run() {
      const parts = await readyParts(tiles, exports, { signal: ending.signal, onProgress: setReady })
      const now = new Date()
      const moment = `${formatMoment(now, timeZone, 'datetime', now)} ${timeZone}`
      const heads = boxParts(boxes, exports)
      if (form === 'xlsx') {
        const { xlsxOf } = await import('./xlsx.ts')
        const sheets = await sheetsOf({ ...insight, savedAt: moment, params, boxes: heads, parts })
        const workbook = await xlsxOf(sheets)
        ending.signal.throwIfAborted()
        saveBlob(workbook, fileNameOf(insight.insightName, 'xlsx'))
        message('Download started.')
        onClose()
        return
      }
      const { width } = papers.find(({ value }) => value === paper)!
      const printParts = await inLightScheme(() =>
        Promise.all(parts.map((part) => toPrintPart(part, width, made))),
      )
      ending.signal.throwIfAborted()
      const figures = heads.map(({ title, exported }) => ({ title, text: exported.figure?.() ?? '' }))
      setPrinted({ ...insight, printedAt: moment, params, figures, parts: printParts })
    }
    run().catch((error: unknown) => {
      if (!ending.signal.aborted) setProblem(error)
    })
    return () => {
      ending.abort()
      for (const address of made) URL.revokeObjectURL(address)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- what is exported is what stood there when it began
  }, [begun])

  const title = form === 'pdf' ? 'Print or save as PDF' : 'Save as XLSX'
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
            {begun ? null : (
              <Button variant="primary" onClick={() => setBegun(true)}>
                Print
              </Button>
            )}
          </>
        }
      >
        {problem === undefined ? null : <ErrorNote error={problem} />}
        {begun ? (
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
            <p>
              All tiles are printed, with all table rows and the selected parameters. In the dialog that
              opens, choose a printer or “Save as PDF”.
            </p>
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

/**
 * A tile for paper: a chart is a picture as wide as the page, so that the texts in all of them have one size, a table its
 * rows; addresses of pictures that were made are noted.
 */
async function toPrintPart(
  { id, title, exported }: ExportPart,
  width: number,
  made: string[],
): Promise<PrintPart> {
  const { state, problem, picture, html, table, note } = exported
  const part = (content: PrintPart['content']): PrintPart => ({ id, title, content })
  if (state !== 'ready') return part({ kind: 'note', text: problem ?? 'It could not be loaded.' })
  if (picture !== undefined) {
    const address = URL.createObjectURL(await picture({ width }))
    made.push(address)
    return part({ kind: 'picture', address })
  }
  if (html !== undefined) return part({ kind: 'html', html: html() })
  if (table !== undefined) return part({ kind: 'table', table: await table() })
  return part({ kind: 'note', text: note ?? 'This tile has nothing to print.' })
}

/** Does something while the page is drawn in light colours, as paper is. */
async function inLightScheme<T>(work: () => Promise<T>): Promise<T> {
  const root = document.documentElement
  const name = 'data-mantine-color-scheme'
  const before = root.getAttribute(name)
  if (before === 'light') return work()
  root.setAttribute(name, 'light')
  try {
    // charts notice the change, then draw anew
    await new Promise((resolve) => setTimeout(resolve, 50))
    return await work()
  } finally {
    if (before === null) root.removeAttribute(name)
    else root.setAttribute(name, before)
  }
}
