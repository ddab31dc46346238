import { CsvIndexer, type CsvLayout } from '../csv/index-csv.ts'

/** Header and first row of a new CSV file. */
const newTable = 'Column 1,Column 2,Column 3\n,,\n'

/** Returns a new CSV file: a header with three columns and an empty row. */
export function newTableLayout(): CsvLayout {
  const bytes = new TextEncoder().encode(newTable)
  const blocks: Uint32Array[] = []
  const indexer = new CsvIndexer({ size: bytes.length, isWhole: true }, (step) => {
    if ('rows' in step) blocks.push(step.rows)
  })
  indexer.add(bytes)
  const layout = indexer.end()
  if (typeof layout === 'string') throw new Error(`The new table is ${layout}`)
  return { ...layout, blocks }
}

/** Returns the text of a new notebook: format 4.5 with one empty code cell. */
export function newNotebookText(): string {
  const cell = {
    cell_type: 'code',
    execution_count: null,
    id: 'cell-1',
    metadata: {},
    outputs: [],
    source: [],
  }
  return `${JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`
}
