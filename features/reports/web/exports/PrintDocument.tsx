import { type CSSProperties, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { formatTimestamp } from '@headwater/web-kit'
import { barStyle, CellIcon, type CellLook, type ExportTable } from '@headwater/tiles/web'
import type { PrintedParam } from './printed-params.ts'
import styles from './PrintDocument.module.css'

/** Paper formats, named as in the style sheet; `width`: CSS pixels between the margins. */
export const papers = [
  { value: 'a4-portrait', label: 'A4 portrait', width: 695 },
  { value: 'a4-landscape', label: 'A4 landscape', width: 1024 },
  { value: 'letter-portrait', label: 'Letter portrait', width: 717 },
  { value: 'letter-landscape', label: 'Letter landscape', width: 957 },
] as const
/** Paper format. */
export type Paper = (typeof papers)[number]['value']

/** A tile of a printed document. */
export interface PrintPart {
  /** Id of the tile. */
  id: string
  /** Heading. */
  title: string
  /** Content to print. */
  content:
    | { kind: 'table'; table: ExportTable }
    /** Object URL of an image. */
    | { kind: 'picture'; address: string }
    /** Sanitised HTML. */
    | { kind: 'html'; html: string }
    | { kind: 'note'; text: string }
  /** Sentence about omitted rows; undefined if there is none. */
  omission?: string | undefined
}

/** Content of a printed document. */
export interface PrintedInsight {
  /** Name of the insight. */
  insightName: string
  /** Group of the insight. */
  groupName: string
  /** Description of the insight; can be empty. */
  description: string
  /** Time of printing, as text. */
  printedAt: string
  /** Choices in the insight. */
  params: readonly PrintedParam[]
  /** Values of the header boxes. */
  figures: readonly { title: string; text: string }[]
  /** Tiles. */
  parts: readonly PrintPart[]
  /** Maximum number of printed rows of a table. */
  maxRows: number
}

/**
 * Document of an insight for paper. While it is mounted, the page shows nothing else. It opens the print dialog of the browser once its
 * images have loaded.
 * @param props.onPrinted called when the print dialog closes
 */
export function PrintDocument({
  insight,
  paper,
  onPrinted,
}: {
  insight: PrintedInsight
  paper: Paper
  onPrinted: () => void
}) {
  const container = useRef<HTMLDivElement>(null)
  const done = useRef(onPrinted)
  useEffect(() => {
    done.current = onPrinted
  })
  useEffect(() => {
    const root = document.documentElement
    const printed = () => done.current()
    const title = document.title
    root.dataset.printing = 'true'
    // The browser suggests the title as the name of the PDF.
    document.title = insight.insightName
    window.addEventListener('afterprint', printed)
    let gone = false
    const pictures = [...(container.current?.querySelectorAll('img') ?? [])]
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (!gone) window.print()
    })
    return () => {
      gone = true
      delete root.dataset.printing
      document.title = title
      window.removeEventListener('afterprint', printed)
    }
  }, [insight])
  return createPortal(
    <div ref={container} className={styles.document} data-paper={paper} data-print-document>
      <header className={styles.head}>
        <h1>{insight.insightName}</h1>
        <p>
          {insight.groupName} · printed {insight.printedAt}
        </p>
        {insight.description === '' ? null : <p>{insight.description}</p>}
      </header>
      <Params params={insight.params} />
      {insight.figures.length === 0 ? null : (
        <dl className={styles.figures}>
          {insight.figures.map(({ title, text }, index) => (
            <div key={index}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {insight.parts.map((part) => (
        <section key={part.id} className={styles.part}>
          <h2>{part.title}</h2>
          <PartContent content={part.content} title={part.title} maxRows={insight.maxRows} />
          {part.omission === undefined ? null : <p className={styles.note}>{part.omission}</p>}
        </section>
      ))}
    </div>,
    document.body,
  )
}

function Params({ params }: { params: readonly PrintedParam[] }) {
  if (params.length === 0) return null
  return (
    <section className={styles.params}>
      <h2>Parameters</h2>
      <dl>
        {params.map(({ label, value }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function PartContent({
  content,
  title,
  maxRows,
}: {
  content: PrintPart['content']
  title: string
  maxRows: number
}) {
  switch (content.kind) {
    case 'table':
      return <PrintTable table={content.table} maxRows={maxRows} />
    case 'picture':
      return <img className={styles.picture} src={content.address} alt={title} />
    case 'html':
      // oxlint-disable-next-line react/no-danger -- the tile sanitises it
      return <div className={styles.text} dangerouslySetInnerHTML={{ __html: content.html }} />
    case 'note':
      return <p className={styles.note}>{content.text}</p>
  }
}

/** Renders the rows across pages and repeats the header on each page. */
function PrintTable({ table: { columns, rows, looks }, maxRows }: { table: ExportTable; maxRows: number }) {
  const printed = rows.slice(0, maxRows)
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ name, kind }, index) => (
              <th key={index} data-kind={kind} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {printed.map((row, at) => (
            <tr key={at}>
              {row.map((value, index) => {
                const look = looks?.(at, index)
                return (
                  <td key={index} data-kind={columns[index]!.kind} style={printedLook(look)}>
                    {look?.icon === undefined ? null : <CellIcon icon={look.icon} className={styles.icon} />}
                    {printedCell(value, columns[index]!, at)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > printed.length ? (
        <p className={styles.note}>
          The first {printed.length.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')} rows.
          The XLSX file contains all rows.
        </p>
      ) : null}
    </>
  )
}

function printedLook(look: CellLook | undefined): CSSProperties | undefined {
  if (look === undefined) return undefined
  const { color, background, isBold, bar } = look
  return {
    color,
    backgroundColor: background,
    fontWeight: isBold ? 600 : undefined,
    ...(bar === undefined ? {} : barStyle(bar)),
  }
}

function printedCell(
  value: string | number | null,
  { kind, decimals, text }: ExportTable['columns'][number],
  row: number,
): string {
  if (value === null) return ''
  if (typeof value === 'number' && text !== undefined) return text(value, row)
  if (typeof value === 'number')
    return value.toLocaleString('en-US', {
      minimumFractionDigits: decimals ?? 0,
      maximumFractionDigits: decimals ?? 15,
    })
  return kind === 'time' ? formatTimestamp(value) : value
}
