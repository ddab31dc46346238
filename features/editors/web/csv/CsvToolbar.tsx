import { type Ref, useState } from 'react'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import { formatNumber } from '@headwater/contract'
import { Button, Checkbox, IconButton, message, TextField } from '@headwater/web-kit'
import styles from './CsvGrid.module.css'
import type { CsvSheet } from './csv-sheet.ts'
import { cellAt, cornersOf, fillDown, type Selection } from './selection.ts'

/** Buttons that change and search a sheet. After a click the grid has the focus again, so that its keys work. */
export function CsvToolbar({
  sheet,
  selection,
  editable,
  isBasic,
  hasHeader,
  onHeader,
  onSelect,
  onChange,
  onFocusGrid,
  insertRowRef,
}: {
  sheet: CsvSheet
  selection: Selection
  editable: boolean
  /** Whether inserting, deleting and sorting rows and columns and replacing texts in all cells is disabled. */
  isBasic: boolean
  hasHeader: boolean
  onHeader: (hasHeader: boolean) => void
  onSelect: (selection: Selection) => void
  onChange: () => void
  onFocusGrid: () => void
  /** Receives the button “Insert row”. */
  insertRowRef: Ref<HTMLButtonElement>
}) {
  const [wanted, setWanted] = useState('')
  const [replacement, setReplacement] = useState('')
  const { top, bottom, left, right } = cornersOf(selection)
  const rows = bottom - top + 1
  const columns = right - left + 1
  const change = (run: () => void) => () => {
    run()
    onChange()
    onFocusGrid()
  }
  // The next key writes into the inserted cell, not into the one that was selected before.
  const insertRows = change(() => {
    const at = Math.min(bottom + 1, sheet.rowCount)
    sheet.insertRows(at, rows)
    onSelect(cellAt(at, selection.column))
  })
  const insertColumn = change(() => {
    sheet.insertColumn(right + 1)
    onSelect(cellAt(selection.row, right + 1))
  })
  function findNext(): void {
    if (wanted === '') return
    const match = sheet.find(wanted, selection)
    if (match === undefined) message(`No cell contains “${wanted}”.`, 'info')
    else onSelect(cellAt(match.row, match.column))
  }
  const hasRows = sheet.rowCount > 0
  const sort = (isDescending: boolean) =>
    change(() => sheet.sort(selection.column, isDescending, hasHeader ? 1 : 0))
  return (
    <div className={styles.tools} role="toolbar" aria-label="Spreadsheet">
      {editable ? (
        <>
          <IconButton
            label="Undo"
            icon={<IconArrowBackUp size={16} stroke={1.6} />}
            disabled={!sheet.canUndo}
            onClick={change(() => sheet.undo())}
          />
          <IconButton
            label="Redo"
            icon={<IconArrowForwardUp size={16} stroke={1.6} />}
            disabled={!sheet.canRedo}
            onClick={change(() => sheet.redo())}
          />
        </>
      ) : null}
      {editable && !isBasic ? (
        <>
          <Button ref={insertRowRef} onClick={insertRows}>
            Insert row
          </Button>
          <Button disabled={!hasRows} onClick={change(() => sheet.deleteRows(top, rows))}>
            Delete row
          </Button>
          <Button disabled={!hasRows} onClick={insertColumn}>
            Insert column
          </Button>
          <Button
            disabled={!hasRows || columns >= sheet.columnCount}
            onClick={change(() => sheet.deleteColumns(left, columns))}
          >
            Delete column
          </Button>
          <Button disabled={!hasRows} onClick={sort(false)}>
            Sort A–Z
          </Button>
          <Button disabled={!hasRows} onClick={sort(true)}>
            Sort Z–A
          </Button>
        </>
      ) : null}
      {editable ? (
        <Button disabled={!hasRows} onClick={change(() => fillDown(sheet, selection))}>
          Fill down
        </Button>
      ) : null}
      <div className={styles.search}>
        <TextField
          label="Find"
          hideLabel
          placeholder="Find"
          value={wanted}
          onChange={setWanted}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            findNext()
          }}
        />
        <Button
          disabled={wanted === ''}
          onClick={() => {
            findNext()
            onFocusGrid()
          }}
        >
          Find next
        </Button>
      </div>
      {editable && !isBasic ? (
        <div className={styles.search}>
          <TextField
            label="Replace with"
            hideLabel
            placeholder="Replace with"
            value={replacement}
            onChange={setReplacement}
          />
          <Button
            disabled={wanted === ''}
            onClick={change(() => {
              const count = sheet.replaceAll(wanted, replacement)
              message(`${formatNumber(count)} ${count === 1 ? 'cell' : 'cells'} changed.`)
            })}
          >
            Replace all
          </Button>
        </div>
      ) : null}
      <Checkbox label="Fixed header row" checked={hasHeader} onChange={onHeader} />
    </div>
  )
}
