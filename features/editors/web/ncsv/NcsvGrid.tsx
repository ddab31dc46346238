import { useMemo, useState } from 'react'
import styles from './NcsvCreator.module.css'

/** Rows that are always displayed. */
const firstRows = 50
/** Maximum number of additional rows with problems that are displayed. */
const maxProblemRows = 200

/** The first rows of the table, and the rows with problems. The header can be edited. */
export function NcsvGrid({
  headers,
  rows,
  lines,
  cells = new Map(),
  onRename,
}: {
  headers: readonly string[]
  rows: readonly (readonly string[])[]
  lines: readonly number[]
  /** Messages of the highlighted cells, by `row:column`. */
  cells?: ReadonlyMap<string, string> | undefined
  onRename?: ((index: number, name: string) => void) | undefined
}) {
  const visible = useMemo(() => {
    const problemRows = [...cells.keys()].map((key) => Number(key.split(':')[0])).filter((row) => row >= 0)
    const first = rows.slice(0, firstRows).map((_, row) => row)
    return [...new Set([...problemRows.slice(0, maxProblemRows), ...first])].toSorted((a, b) => a - b)
  }, [cells, rows])
  return (
    <div className={styles.grid} tabIndex={0} role="region" aria-label="Rows of the file">
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            {headers.map((name, index) => (
              // Names can repeat, so a column is identified by its position.
              <th key={index} scope="col">
                {onRename === undefined ? (
                  name
                ) : (
                  <HeaderField key={name} name={name} index={index} onRename={onRename} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.map((row) => (
            <tr key={row} data-invalid={cells.has(`${row}:-1`) || undefined}>
              <th scope="row">{lines[row]}</th>
              {rows[row]!.map((cell, index) => {
                const problem = cells.get(`${row}:${index}`)
                return (
                  <td
                    key={index}
                    data-invalid={problem !== undefined || undefined}
                    title={problem ?? cell.slice(0, 200)}
                  >
                    {cell.slice(0, 200)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeaderField({
  name,
  index,
  onRename,
}: {
  name: string
  index: number
  onRename: (index: number, name: string) => void
}) {
  const [text, setText] = useState(name)
  return (
    <input
      aria-label={`Name of column ${index + 1}`}
      value={text}
      title={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onRename(index, text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}
