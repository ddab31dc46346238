import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ReadableTable } from './ReadableTable.tsx'

test('the table of a chart has a cell per value, and a note only if it omits rows', () => {
  const tableOf = (totalRows: number) =>
    renderToStaticMarkup(
      <ReadableTable
        title="Prices"
        table={{
          columns: ['Time', 'Close'],
          formats: [{ decimals: 1, text: (value) => value.toFixed(1) }],
          rows: [
            { x: 1, xText: '1 May', cells: [2] },
            { x: 2, xText: '2 May', cells: [null] },
          ],
          totalRows,
        }}
      />,
    )
  expect(tableOf(2)).toContain('aria-label="Prices as a table"')
  expect(tableOf(2)).toContain(
    '<th scope="row">1 May</th><td>2.0</td></tr><tr><th scope="row">2 May</th><td></td>',
  )
  expect(tableOf(2)).not.toContain('<p>')
  expect(tableOf(1200)).toContain('<p>The first 2 of 1,200 rows in view.')
})
