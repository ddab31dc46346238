import { useMemo, useState } from 'react'
import { Button, countOf, EmptyState } from '@headwater/web-kit'
import { type CellDifference, tableDifference, type TableDifference } from './table-difference.ts'
import { textDifference, type TextDifference } from './text-difference.ts'
import styles from './FileDifference.module.css'

/** Rows or lines that are visible at once; a button shows more. */
const pageSize = 500

/** Difference between two contents of a file: CSV and NCSV by row and cell, other texts by line. */
export function FileDifference({
  fileName,
  before,
  after,
}: {
  /** Name of the file. Its extension determines the kind of comparison. */
  fileName: string
  before: string
  after: string
}) {
  const difference = useMemo(() => differenceOf(fileName, before, after), [fileName, before, after])
  if (difference.kind === 'equal')
    return <EmptyState title="No changes">Both versions have the same content.</EmptyState>
  return (
    <section className={styles.difference} aria-label={`Difference of ${fileName}`}>
      <p className={styles.summary} role="status">
        {difference.kind === 'table' ? tableSummary(difference) : textSummary(difference)}
      </p>
      {difference.kind === 'table' ? (
        <TableView fileName={fileName} {...difference} />
      ) : (
        <TextView fileName={fileName} {...difference} />
      )}
    </section>
  )
}

type Difference =
  ({ kind: 'table' } & TableDifference) | ({ kind: 'text' } & TextDifference) | { kind: 'equal' }

function differenceOf(fileName: string, before: string, after: string): Difference {
  if (before === after) return { kind: 'equal' }
  const table = /\.(n?csv|tsv)$/i.test(fileName) ? tableDifference(before, after) : undefined
  if (table !== undefined && (table.rows.length > 0 || table.columns.some(({ kind }) => kind !== 'same')))
    return { kind: 'table', ...table }
  const text = textDifference(before, after)
  return text.lines.length === 0 ? { kind: 'equal' } : { kind: 'text', ...text }
}

function textSummary({ added, removed }: TextDifference): string {
  return `${countOf(added, 'line')} added, ${countOf(removed, 'line')} removed`
}

function tableSummary({ rows, columns }: TableDifference): string {
  const count = (kind: string) => rows.filter((row) => row.kind === kind).length
  const parts = [
    `${countOf(count('changed'), 'row')} changed`,
    `${count('added')} added`,
    `${count('removed')} removed`,
  ]
  for (const kind of ['added', 'removed'] as const) {
    const names = columns.filter((column) => column.kind === kind).map(({ name }) => name)
    if (names.length > 0)
      parts.push(`${names.length === 1 ? 'column' : 'columns'} ${kind}: ${names.join(', ')}`)
  }
  return parts.join(', ')
}

const rowNames = { changed: 'Changed', added: 'Added', removed: 'Removed' } as const

function TableView({ fileName, columns, rows }: { fileName: string } & TableDifference) {
  const [visible, setVisible] = useState(pageSize)
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={`Changed rows of ${fileName}`}>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Change</th>
            {columns.map(({ name, kind }) => (
              <th key={name} scope="col" data-kind={kind}>
                {name === '' ? '—' : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, visible).map((row) => (
            <tr key={`${row.kind} ${row.number}`} data-kind={row.kind}>
              <th scope="row">{row.number}</th>
              <td className={styles.kind}>{rowNames[row.kind]}</td>
              {row.cells.map((cell, at) => (
                <td key={columns[at]!.name}>
                  <Cell cell={cell} isWhole={row.kind !== 'changed'} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More count={rows.length - visible} what="row" onShow={() => setVisible(visible + pageSize)} />
    </div>
  )
}

/** A cell with its earlier and later text, unless they are equal or the whole row was added or removed. */
function Cell({ cell: { before, after }, isWhole }: { cell: CellDifference; isWhole: boolean }) {
  if (isWhole || before === after) return <>{after ?? before}</>
  return (
    <>
      {before === undefined ? null : <del>{before === '' ? 'empty' : before}</del>}
      {after === undefined ? null : <ins>{after === '' ? 'empty' : after}</ins>}
    </>
  )
}

const signs = { same: ' ', added: '+', removed: '−' } as const
const lineNames = { same: '', added: 'Added: ', removed: 'Removed: ' } as const

function TextView({ fileName, lines }: { fileName: string } & TextDifference) {
  const [visible, setVisible] = useState(pageSize)
  return (
    <div className={styles.scroll}>
      <ol className={styles.lines} aria-label={`Changed lines of ${fileName}`}>
        {lines.slice(0, visible).map((line, at) =>
          line.kind === 'skipped' ? (
            <li key={at} className={styles.skipped}>
              {countOf(line.count, 'equal line')}
            </li>
          ) : (
            <li key={at} className={styles.line} data-kind={line.kind}>
              <span className={styles.number} aria-hidden="true">
                {line.before}
              </span>
              <span className={styles.number} aria-hidden="true">
                {line.after}
              </span>
              <span aria-hidden="true">{signs[line.kind]}</span>
              <span className="visually-hidden">{lineNames[line.kind]}</span>
              <code>{line.text}</code>
            </li>
          ),
        )}
      </ol>
      <More count={lines.length - visible} what="line" onShow={() => setVisible(visible + pageSize)} />
    </div>
  )
}

function More({ count, what, onShow }: { count: number; what: string; onShow: () => void }) {
  return count <= 0 ? null : (
    <div className={styles.more}>
      <Button onClick={onShow}>{`Show more ${what}s (${count})`}</Button>
    </div>
  )
}
