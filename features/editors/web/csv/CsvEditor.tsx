import { useEffect, useRef, useState } from 'react'
import { Text } from '@codemirror/state'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import { useDraftStorage } from '@headwater/accounts/web'
import { countOf, formatNumber } from '@headwater/contract'
import { extensionOf, type File } from '@headwater/files/contract'
import { maxCsvBytes } from '@headwater/files/web'
import {
  Button,
  message,
  toastError,
  ToolHeader,
  useEscape,
  useShortcut,
  useUnsavedTool,
} from '@headwater/web-kit'
import { EditNotes } from '../components/EditNotes.tsx'
import { FileToolHeader } from '../components/FileContent.tsx'
import tool from '../components/Tool.module.css'
import { FileDetailsFields } from '../details/FileDetailsFields.tsx'
import {
  type DetailsState,
  type FileDetails,
  useFileDetails,
  savesNewFile,
} from '../details/use-file-details.ts'
import { Code } from '../text/CodeTool.tsx'
import { SaveConfirmations } from '../text/SaveConfirmations.tsx'
import { originalText, readText, type TextContent, writeText } from '../text/text-content.ts'
import { useSaving } from '../text/use-saving.ts'
import { CsvGrid } from './CsvGrid.tsx'
import styles from './CsvGrid.module.css'
import { CsvToolbar } from './CsvToolbar.tsx'
import { type CellChange, CsvSheet, type UnevenRows } from './csv-sheet.ts'
import type { CsvLayout } from './index-csv.ts'
import { parseCsvBeside } from './load-csv.ts'
import {
  csvDraftLocation,
  maxDraftBytes,
  type RestoredCsv,
  type StoredCsv,
  useRestoredCsv,
} from './csv-draft.ts'
import { cellAt, clampSelection, type Selection } from './selection.ts'
import { useCellEdit } from './use-cell-edit.ts'

/** Maximum number of listed rows of another width. */
const maxListedRows = 100

/** The file as raw text. */
interface RawText {
  read: TextContent
  /** Whether the grid has the initial text. */
  isParsed: boolean
  initial: Text
  text: Text
}

/** Properties of the editor. */
interface CsvEditorProps {
  /** The open version; undefined for a new file. */
  file: File | undefined
  /** Name, group and type of the file, or suggestions for a new one. */
  suggested: FileDetails
  layout: CsvLayout
  /** Whether the file is too large for structural changes and raw text. */
  isBasic: boolean
  editable: boolean
  /** Opens another version of the file in place of the edits. A new file has no other version. */
  onOpenVersion?: (fid: string) => void
  onClose: () => void
}

/**
 * An open CSV file as a grid or as raw text, with the draft of changes that were not saved. It saves a new version or a
 * new file.
 */
export function CsvEditor(props: CsvEditorProps) {
  const editable = props.editable && props.layout.encoding === 'utf-8'
  const { restored, isLoading, discard } = useRestoredCsv(props, editable && !props.isBasic)
  if (isLoading) return null
  return (
    <OpenCsv
      key={restored === undefined ? 'stored' : 'draft'}
      {...props}
      editable={editable}
      restored={restored}
      onDiscard={discard}
    />
  )
}

function OpenCsv({
  file,
  suggested,
  layout,
  isBasic,
  editable,
  restored,
  onOpenVersion,
  onDiscard,
  onClose,
}: CsvEditorProps & { restored: RestoredCsv | undefined; onDiscard: () => void }) {
  const [sheet, setSheet] = useState(() => new CsvSheet(restored?.layout ?? layout))
  const [, setVersion] = useState(0)
  const [selection, setSelection] = useState<Selection>(() => cellAt(0, 0))
  const [hasHeader, setHasHeader] = useState(true)
  const [raw, setRaw] = useState(() => (restored === undefined ? undefined : rawOf(restored)))
  const [isReparsed, setReparsed] = useState(restored !== undefined)
  const isNew = file === undefined
  const details = useFileDetails(suggested, isNew)
  /** The version that the changes are based on. */
  const baseFile = restored?.file ?? file
  const isRawChanged = raw !== undefined && !(raw.isParsed && raw.text.eq(raw.initial))
  const onChange = () => {
    // Undo can remove rows and columns that are selected.
    setSelection((now) => clampSelection(now, sheet))
    setVersion(sheet.version)
  }
  const { row, column } = selection
  const { grid, insertRow, focusGrid } = useGridFocus(sheet)
  const edit = useCellEdit((value) => {
    sheet.setCells([{ row, column, value }])
    onChange()
  }, focusGrid)
  const isCellChanged = edit.text !== undefined && edit.text !== sheet.cell(row, column)
  const isContentChanged = isReparsed || sheet.isChanged || isRawChanged
  const isUnsaved = editable && (isContentChanged || isCellChanged || details.isChanged)
  const isDraft = editable && (isContentChanged || isCellChanged)
  useDraftStorage<StoredCsv>(
    csvDraftLocation({ file, suggested }),
    isDraft && sheet.layout.bytes.length <= maxDraftBytes
      ? () => ({
          ...(baseFile && { file: baseFile }),
          text: isRawChanged
            ? originalText(raw.text.toString(), raw.read)
            : textOf(sheet, isCellChanged ? { row, column, value: edit.text! } : undefined),
        })
      : undefined,
  )
  function content(): Blob {
    if (isRawChanged) return writeText(raw.text.toString(), raw.read)
    return sheetContent(sheet)
  }
  const saving = useSaving({ file: baseFile, details, problem: () => undefined, content, onSaved: onClose })
  const save = () => {
    if (edit.text !== undefined) {
      edit.commit()
      focusGrid()
    }
    if (isNew || isUnsaved) saving.save()
  }
  useUnsavedTool(isUnsaved)
  useShortcut('mod+s', save, { label: editable ? 'Save the file' : 'Save the file (read only)' })

  async function showRaw(): Promise<void> {
    try {
      setRaw(await readRaw(sheet))
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

  /** The newest version can be the one that is open, if a restored draft is based on an older one. */
  function openVersion(fid: string) {
    if (fid === file?.fid) onDiscard()
    else onOpenVersion?.(fid)
  }

  return (
    <>
      <CsvHeader
        file={file}
        details={details}
        extension={extensionOf(suggested.fileName)}
        note={layout.encoding === 'utf-8' ? 'read only' : `${layout.encoding}, read only`}
        editable={editable}
        isRaw={raw !== undefined}
        onToggleRaw={isBasic ? undefined : () => void (raw === undefined ? showRaw() : showSheet())}
        isBusy={saving.isBusy}
        canSave={isNew || isUnsaved}
        onSave={save}
      />
      <EditNotes draftTime={restored?.time} onDiscard={onDiscard} saving={editable ? saving : undefined} />
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
            onFocusGrid={focusGrid}
            insertRowRef={insertRow}
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
          <Counter sheet={sheet} editable={editable} />
        </div>
      ) : (
        <RawEditor
          fileName={suggested.fileName}
          raw={raw}
          editable={editable}
          onChange={(text) => setRaw({ ...raw, text })}
        />
      )}
      <SaveConfirmations
        baseFile={baseFile}
        saving={saving}
        content={content}
        onOpenVersion={onOpenVersion && openVersion}
      />
    </>
  )
}

/** Returns the content of a grid as raw text. */
async function readRaw(sheet: CsvSheet): Promise<RawText> {
  const read = readText(await sheetContent(sheet).arrayBuffer())
  if (read === undefined) throw new Error('There was an error during parsing csv to string')
  const text = Text.of(read.text.split('\n'))
  return { read, isParsed: true, initial: text, text }
}

/** Returns the content with the value that is being typed. */
function textOf(sheet: CsvSheet, typed: CellChange | undefined): string {
  if (typed === undefined) return sheet.toText()
  sheet.setCells([typed])
  const text = sheet.toText()
  sheet.undo()
  return text
}

/** Returns the raw text of a draft that is not a table; undefined for a table. */
function rawOf({ layout, text: stored }: RestoredCsv): RawText | undefined {
  if (layout !== undefined) return undefined
  const read = readText(new TextEncoder().encode(stored))
  if (read === undefined) return undefined
  const text = Text.of(read.text.split('\n'))
  return { read, isParsed: false, initial: text, text }
}

/** Focuses the grid when the editor opens and after a change. An empty grid has no cell to type into. */
function useGridFocus(sheet: CsvSheet) {
  const grid = useRef<HTMLDivElement>(null)
  const insertRow = useRef<HTMLButtonElement>(null)
  const focusGrid = (options?: FocusOptions) =>
    (sheet.rowCount === 0 && insertRow.current ? insertRow.current : grid.current)?.focus(options)
  // oxlint-disable-next-line react/exhaustive-deps -- only when the editor opens
  useEffect(() => focusGrid({ preventScroll: true }), [])
  return { grid, insertRow, focusGrid }
}

/** Numbers of columns and rows. */
function Counter({ sheet, editable }: { sheet: CsvSheet; editable: boolean }) {
  if (sheet.rowCount === 0)
    return (
      <div className={styles.counter} role="status">
        {editable ? 'The file is empty. Insert a row to begin.' : 'The file is empty.'}
      </div>
    )
  return (
    <div className={styles.counter} role="status">
      {countOf(sheet.columnCount, 'column')}, {countOf(sheet.rowCount, 'row')}
      {sheet.layout.isCut ? (
        <>
          {' '}
          · Rows limited to {formatNumber(sheet.rowCount)}. File exceeds {maxCsvBytes / 1_000_000} MB
        </>
      ) : null}
    </div>
  )
}

/** Header of the tool, and the details of the file. */
function CsvHeader({
  file,
  details,
  extension,
  note,
  editable,
  isRaw,
  onToggleRaw,
  isBusy,
  canSave,
  onSave,
}: {
  file: File | undefined
  details: DetailsState
  extension: string
  /** Why the file cannot be changed. */
  note: string
  editable: boolean
  isRaw: boolean
  /** Switches between the grid and raw text; undefined if the file opens as a grid only. */
  onToggleRaw: (() => void) | undefined
  isBusy: boolean
  canSave: boolean
  onSave: () => void
}) {
  const actions = (
    <>
      {onToggleRaw === undefined ? null : (
        <Button onClick={onToggleRaw}>{isRaw ? 'Spreadsheet' : 'Raw text'}</Button>
      )}
      {editable ? (
        <Button
          variant="primary"
          icon={<IconDeviceFloppy size={16} stroke={1.6} />}
          busy={isBusy}
          disabled={!canSave}
          onClick={onSave}
        >
          Save
        </Button>
      ) : null}
    </>
  )
  return (
    <>
      {file === undefined ? (
        <ToolHeader note="not saved yet" actions={actions} />
      ) : (
        <FileToolHeader file={file} note={editable ? '' : note}>
          {actions}
        </FileToolHeader>
      )}
      {editable ? (
        <FileDetailsFields state={details} extension={extension} isNew={file === undefined} />
      ) : null}
      {file !== undefined && savesNewFile(details.details, file) ? (
        <div className={tool.bar} role="status">
          Saves a new file. “{file.fileName}” in {file.groupName} stays as it is.
        </div>
      ) : null}
    </>
  )
}

function RawEditor({
  fileName,
  raw,
  editable,
  onChange,
}: {
  fileName: string
  raw: RawText
  editable: boolean
  onChange: (text: Text) => void
}) {
  useEscape(true, () => undefined)
  return (
    <Code fileName={fileName} initial={raw.initial} text={raw.text} editable={editable} onChange={onChange} />
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
