import { useRef, useState } from 'react'
import { Text } from '@codemirror/state'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import { countOf, formatNumber } from '@headwater/contract'
import { extensionOf, type File } from '@headwater/files/contract'
import { maxCsvBytes } from '@headwater/files/web'
import { Button, message, toastError, useEscape, useShortcut, useUnsavedTool } from '@headwater/web-kit'
import { FileToolHeader } from '../components/FileContent.tsx'
import tool from '../components/Tool.module.css'
import { FileDetailsFields } from '../details/FileDetailsFields.tsx'
import { useFileDetails } from '../details/use-file-details.ts'
import { Code } from '../text/CodeTool.tsx'
import { isOtherFile, SaveConfirmations } from '../text/EditedText.tsx'
import { readText, type TextContent, writeText } from '../text/text-content.ts'
import { useSaving } from '../text/use-saving.ts'
import { CsvGrid } from './CsvGrid.tsx'
import styles from './CsvGrid.module.css'
import { CsvToolbar } from './CsvToolbar.tsx'
import { CsvSheet, type UnevenRows } from './csv-sheet.ts'
import type { CsvLayout } from './index-csv.ts'
import { parseCsvBeside } from './load-csv.ts'
import { cellAt, clampSelection, type Selection } from './selection.ts'
import { useCellEdit } from './use-cell-edit.ts'

/** Maximum number of listed rows of another width. */
const maxListedRows = 100

/** The file as raw text. */
interface RawText {
  read: TextContent
  initial: Text
  text: Text
}

/** An open CSV file as a grid or as raw text. It saves a new version or a new file. */
export function CsvEditor({
  file,
  layout,
  isBasic,
  editable: canEdit,
  onClose,
}: {
  file: File
  layout: CsvLayout
  /** Whether the file is too large for structural changes and raw text. */
  isBasic: boolean
  editable: boolean
  onClose: () => void
}) {
  const [sheet, setSheet] = useState(() => new CsvSheet(layout))
  const [, setVersion] = useState(0)
  const [selection, setSelection] = useState<Selection>(() => cellAt(0, 0))
  const [hasHeader, setHasHeader] = useState(true)
  const [raw, setRaw] = useState<RawText>()
  const [isReparsed, setReparsed] = useState(false)
  const details = useFileDetails(file, false)
  const editable = canEdit && layout.encoding === 'utf-8'
  const isRawChanged = raw !== undefined && !raw.text.eq(raw.initial)
  const onChange = () => {
    // Undo can remove rows and columns that are selected.
    setSelection((now) => clampSelection(now, sheet))
    setVersion(sheet.version)
  }
  const { row, column } = selection
  const grid = useRef<HTMLDivElement>(null)
  const focusGrid = () => grid.current?.focus()
  const edit = useCellEdit((value) => {
    sheet.setCells([{ row, column, value }])
    onChange()
  }, focusGrid)
  const isCellChanged = edit.text !== undefined && edit.text !== sheet.cell(row, column)
  const isUnsaved =
    editable && (isReparsed || sheet.isChanged || isCellChanged || isRawChanged || details.isChanged)
  function content(): Blob {
    if (isRawChanged) return writeText(raw.text.toString(), raw.read)
    return sheetContent(sheet)
  }
  const saving = useSaving({ file, details, problem: () => undefined, content, onSaved: onClose })
  const save = () => {
    if (edit.text !== undefined) {
      edit.commit()
      focusGrid()
    }
    if (isUnsaved) saving.save()
  }
  useUnsavedTool(isUnsaved)
  useShortcut('mod+s', save, { label: editable ? 'Save the file' : 'Save the file (read only)' })

  async function showRaw(): Promise<void> {
    try {
      const read = readText(await sheetContent(sheet).arrayBuffer())
      if (read === undefined) throw new Error('There was an error during parsing csv to string')
      const text = Text.of(read.text.split('\n'))
      setRaw({ read, initial: text, text })
    } catch (error) {
      toastError(error)
    }
  }

  async function showSheet(): Promise<void> {
    if (isRawChanged) {
      try {
        const bytes = new Uint8Array(await content().arrayBuffer())
        const parsed = await parseCsvBeside(bytes)
        setSheet(new CsvSheet(parsed))
        setSelection(cellAt(0, 0))
        setReparsed(true)
      } catch {
        message('CSV file can not be parsed', 'error')
        return
      }
    }
    setRaw(undefined)
  }

  const note = layout.encoding === 'utf-8' ? 'read only' : `${layout.encoding}, read only`
  return (
    <>
      <FileToolHeader file={file} note={editable ? '' : note}>
        {isBasic ? null : (
          <Button onClick={() => void (raw === undefined ? showRaw() : showSheet())}>
            {raw === undefined ? 'Raw text' : 'Spreadsheet'}
          </Button>
        )}
        {editable ? (
          <Button
            variant="primary"
            icon={<IconDeviceFloppy size={16} stroke={1.6} />}
            busy={saving.isBusy}
            disabled={!isUnsaved}
            onClick={save}
          >
            Save
          </Button>
        ) : null}
      </FileToolHeader>
      {editable ? (
        <FileDetailsFields state={details} extension={extensionOf(file.fileName)} isNew={false} />
      ) : null}
      {isOtherFile(details.details, file) ? (
        <div className={tool.bar} role="status">
          Saves a new file. “{file.fileName}” in {file.groupName} stays as it is.
        </div>
      ) : null}
      {raw === undefined ? (
        <div className={tool.tool}>
          <CsvToolbar
            sheet={sheet}
            selection={selection}
            editable={editable}
            isBasic={isBasic}
            hasHeader={hasHeader}
            onHeader={setHasHeader}
            onSelect={setSelection}
            onChange={onChange}
          />
          <RowWarning uneven={sheet.unevenRows} />
          <CsvGrid
            key={hasHeader ? 'header' : 'plain'}
            scroller={grid}
            sheet={sheet}
            selection={selection}
            edit={edit}
            hasHeader={hasHeader}
            editable={editable}
            isBasic={isBasic}
            onSelect={setSelection}
            onChange={onChange}
          />
          <div className={styles.counter} role="status">
            {countOf(sheet.columnCount, 'column')}, {countOf(sheet.rowCount, 'row')}
            {sheet.rowCount === 0 && editable ? ' · The file is empty. Insert a row to begin.' : ''}
            {sheet.layout.isCut ? (
              <>
                {' '}
                · Rows limited to {formatNumber(sheet.rowCount)}. File exceeds {maxCsvBytes / 1_000_000} MB
              </>
            ) : null}
          </div>
        </div>
      ) : (
        <RawEditor file={file} raw={raw} editable={editable} onChange={(text) => setRaw({ ...raw, text })} />
      )}
      <SaveConfirmations begun={file} saving={saving} />
    </>
  )
}

function RawEditor({
  file,
  raw,
  editable,
  onChange,
}: {
  file: File
  raw: RawText
  editable: boolean
  onChange: (text: Text) => void
}) {
  useEscape(true, () => undefined)
  return (
    <Code
      fileName={file.fileName}
      initial={raw.initial}
      text={raw.text}
      editable={editable}
      onChange={onChange}
    />
  )
}

function RowWarning({ uneven: { count, rows } }: { uneven: UnevenRows }) {
  if (count === 0) return null
  const listed = rows?.slice(0, maxListedRows).map((row) => row + 1)
  const more = count - (listed?.length ?? 0)
  return (
    <div className={styles.warning} role="status">
      <p>CSV file has different rows length and could be displayed improperly.</p>
      {listed === undefined ? null : (
        <p>
          Invalid row index(es): {listed.join(', ')}
          {more > 0 ? ` and ${formatNumber(more)} more` : ''}
        </p>
      )}
    </div>
  )
}

function sheetContent(sheet: CsvSheet): Blob {
  try {
    return sheet.toBlob()
  } catch (cause) {
    throw new Error('There was an error during parsing csv to string', { cause })
  }
}
