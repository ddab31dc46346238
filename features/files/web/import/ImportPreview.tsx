import { useMemo } from 'react'
import { describeProblem } from '@headwater/csv'
import { formatNumber } from '@headwater/web-kit'
import { type ImportDraft, previewImport } from './import-draft.ts'
import { previewText } from './preview-text.ts'
import styles from './ImportForm.module.css'

/** Columns of the preview. */
const maxColumns = 12
/** Problems that are listed. */
const listedProblems = 5

/** The first rows as they are imported, the resulting symbols, and problems. */
export function ImportPreview({
  draft,
  problem,
  isRejected,
}: {
  draft: ImportDraft
  /** Describes what the import still needs; undefined if nothing is missing. */
  problem: string | undefined
  /** Whether the user tried to import in spite of the problem. */
  isRejected: boolean
}) {
  const { sample } = draft
  const preview = useMemo(() => (problem === undefined ? previewImport(draft) : undefined), [draft, problem])
  if (preview === undefined)
    return (
      // A rejection changes the key, so that screen readers announce the new element.
      <p
        key={String(isRejected)}
        ref={isRejected ? showInDialog : undefined}
        className={isRejected ? styles.rejected : styles.open}
        role={isRejected ? 'alert' : 'status'}
      >
        {problem}
      </p>
    )
  const { names, rows, symbols, symbolCount, repeated, problems } = preview
  const scope = sample.isWhole ? '' : ` in the first ${formatNumber(sample.rows.length)} rows`
  const hidden = names.length - maxColumns
  return (
    <div className={styles.preview}>
      <p className={styles.note} role="status">
        {symbolCount === 1 ? '1 symbol' : `${formatNumber(symbolCount)} symbols`}
        {scope}: {symbols.map((symbol) => Object.values(symbol).join(' · ')).join(', ')}
        {symbolCount > symbols.length ? ' …' : ''}
      </p>
      {repeated === undefined ? null : (
        <p className={styles.warning} role="status">
          {formatNumber(repeated.count)} {repeated.count === 1 ? 'row repeats' : 'rows repeat'} a symbol and
          date
          {scope}, first {repeated.symbol} on {repeated.date}. Only the last of them is stored. Choose another
          symbol column if these are different series.
        </p>
      )}
      {problems.length === 0 ? null : (
        <>
          <ul className={styles.problems} aria-label="Problems">
            {problems.slice(0, listedProblems).map((each) => (
              <li key={`${each.row} ${each.column} ${each.message}`}>{describeProblem(each)}</li>
            ))}
            {problems.length > listedProblems ? <li>and {problems.length - listedProblems} more</li> : null}
          </ul>
          <p className={styles.note}>
            Correct the file and choose it again, or change the settings above. A file with problems is not
            imported.
          </p>
        </>
      )}
      <div className={styles.table} tabIndex={0} role="region" aria-label="First rows as series">
        <table>
          <thead>
            <tr>
              <th scope="col" data-number>
                Line
              </th>
              {names.slice(0, maxColumns).map((name) => (
                <th key={name} scope="col" data-number={isNumeric(name) || undefined}>
                  {name}
                </th>
              ))}
              {hidden > 0 ? <th scope="col">{formatNumber(hidden)} more columns</th> : null}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, cells }) => (
              <tr key={line}>
                <th scope="row" data-number>
                  {line}
                </th>
                {cells.slice(0, maxColumns).map((cell, at) => (
                  // The position is the only identity of a cell.
                  <td key={at} data-number={isNumeric(names[at]!) || undefined}>
                    {previewText(cell)}
                  </td>
                ))}
                {hidden > 0 ? <td>…</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Returns whether a column of the result contains numbers, by the type at the end of its name. */
function isNumeric(name: string): boolean {
  return /\((DB|I)\)$/.test(name)
}

/** Scrolls a paragraph into view, because the settings can be longer than the dialog and the upload button is below them. */
function showInDialog(paragraph: HTMLElement | null): void {
  paragraph?.scrollIntoView({ block: 'nearest' })
}
