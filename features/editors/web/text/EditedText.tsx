import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { Text } from '@codemirror/state'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import { useDraftStorage, useStoredDraft } from '@headwater/accounts/web'
import { extensionOf, type File } from '@headwater/files/contract'
import type { ContentRoute, saveFileVersion } from '@headwater/files/web'
import { Button, ToolHeader, useShortcut, useUnsavedTool } from '@headwater/web-kit'
import { EditNotes } from '../components/EditNotes.tsx'
import { FileToolHeader } from '../components/FileContent.tsx'
import tool from '../components/Tool.module.css'
import { FileDetailsFields } from '../details/FileDetailsFields.tsx'
import { type FileDetails, savesNewFile, useFileDetails } from '../details/use-file-details.ts'
import { SaveConfirmations } from './SaveConfirmations.tsx'
import { type TextContent, writeText } from './text-content.ts'
import { useSaving } from './use-saving.ts'

/** An open text. */
export interface OpenText {
  /** Name of the file. */
  fileName: string
  /** Initial text of the editor. */
  initial: Text
  /** Current text. */
  text: Text
  /** Whether the user can change the file. */
  editable: boolean
  /** Called with each change. */
  onChange: (text: Text) => void
}

/** Options for a kind of text. */
export interface TextParts {
  /** Renders the text. */
  render: (open: OpenText) => ReactNode
  /** Returns the problem of a text. Saving a text with a problem requires confirmation. */
  problemOf?: (fileName: string, text: Text) => string | undefined
  /** Calls that read and save a version. Default: those of any file. */
  calls?: { content: ContentRoute; saveVersion: typeof saveFileVersion }
}

/** The draft of a text that was not saved when the session ended. */
interface StoredText {
  /** The version that the draft is based on; undefined for a new file. */
  file?: File
  text: string
}

/** An open text with its details. It stores a draft of the changes and saves a new version or a new file. */
export function EditedText({
  file,
  suggested,
  read,
  editable,
  note = '',
  onOpenVersion,
  onClose,
  problemOf,
  calls,
  render,
}: TextParts & {
  /** The open version; undefined for a new file. */
  file: File | undefined
  /** Name, group and type of the file, or suggestions for a new one. */
  suggested: FileDetails
  /** The stored content. */
  read: TextContent
  editable: boolean
  /** Reason why the text cannot be changed. */
  note?: string
  /** Opens another version of the file in place of the text. A new file has no other version. */
  onOpenVersion?: (fid: string) => void
  onClose: () => void
}) {
  const isNew = file === undefined
  const draftLocation = {
    key: 'ng-text-draft',
    location: isNew ? `new file .${extensionOf(suggested.fileName)}` : `${file.groupName}/${file.fileName}`,
  }
  const storedDraft = useStoredDraft<StoredText>(draftLocation, editable)
  const [restored, setRestored] = useState(storedDraft)
  const stored = useMemo(() => textOf(read.text), [read])
  const [initial, setInitial] = useState(() =>
    storedDraft === undefined ? stored : textOf(storedDraft.content.text),
  )
  const [text, setText] = useState(initial)
  const details = useFileDetails(suggested, isNew)
  const isChanged = useMemo(() => !text.eq(stored), [text, stored])
  const isUnsaved = isChanged || details.isChanged
  /** The version that the text is based on. */
  const baseFile = restored?.content.file ?? file
  useDraftStorage<StoredText>(
    draftLocation,
    editable && isChanged
      ? () => ({ ...(baseFile === undefined ? {} : { file: baseFile }), text: text.toString() })
      : undefined,
  )
  function discard() {
    setRestored(undefined)
    setInitial(stored)
    setText(stored)
  }
  /** The newest version can be the one that is open, if a restored draft is based on an older one. */
  function openVersion(fid: string) {
    if (fid === file?.fid) discard()
    else onOpenVersion?.(fid)
  }
  const { fileName } = details.details
  const content = () => writeText(text.toString(), read)
  const saving = useSaving({
    file: baseFile,
    details,
    problem: () => problemOf?.(fileName, text),
    content,
    saveVersion: calls?.saveVersion,
    onSaved: onClose,
  })
  const save = () => {
    if (editable && (isNew || isUnsaved)) saving.save()
  }
  useUnsavedTool(isUnsaved)
  useShortcut('mod+s', save, { label: editable ? 'Save the file' : 'Save the file (read only)' })
  const saveButton = editable ? (
    <Button
      variant="primary"
      icon={<IconDeviceFloppy size={16} stroke={1.6} />}
      busy={saving.isBusy}
      disabled={!isNew && !isUnsaved}
      onClick={save}
    >
      Save
    </Button>
  ) : null
  return (
    <>
      {isNew ? (
        <ToolHeader note="not saved yet" actions={saveButton} />
      ) : (
        <FileToolHeader file={file} note={editable ? '' : note || 'read only'}>
          {saveButton}
        </FileToolHeader>
      )}
      {editable ? (
        <FileDetailsFields state={details} extension={extensionOf(suggested.fileName)} isNew={isNew} />
      ) : null}
      {!isNew && savesNewFile(details.details, file) ? (
        <div className={tool.bar} role="status">
          Saves a new file. “{file.fileName}” in {file.groupName} stays as it is.
        </div>
      ) : null}
      <EditNotes draftTime={restored?.time} onDiscard={discard} saving={editable ? saving : undefined} />
      <Fragment key={restored === undefined ? 'stored' : 'draft'}>
        {render({ fileName: suggested.fileName, initial, text, editable, onChange: setText })}
      </Fragment>
      <SaveConfirmations
        baseFile={baseFile}
        saving={saving}
        content={content}
        onOpenVersion={onOpenVersion && openVersion}
      />
    </>
  )
}

function textOf(text: string): Text {
  return Text.of(text.split('\n'))
}
