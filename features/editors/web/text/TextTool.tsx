import { Fragment, type ReactNode, useEffect, useMemo, useState } from 'react'
import { Text } from '@codemirror/state'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconFileOff from '@tabler/icons-react/dist/esm/icons/IconFileOff.mjs'
import { useDraftStorage, useStoredDraft } from '@headwater/accounts/web'
import type { File } from '@headwater/files/contract'
import { maxTextBytes } from '@headwater/files/web'
import {
  Button,
  ConfirmDialog,
  EmptyState,
  Skeleton,
  Time,
  type ToolProps,
  useShortcut,
  useUnsavedTool,
} from '@headwater/web-kit'
import { Centered, FileContent, FileToolHeader } from '../components/FileContent.tsx'
import { readText, type TextContent, writeText } from './text-content.ts'
import { useSaving } from './use-saving.ts'
import tool from '../components/Tool.module.css'

/** An open text. */
export interface OpenText {
  /** The version of the file. */
  file: File
  /** Initial text of the editor. */
  initial: Text
  /** Current text. */
  text: Text
  /** Whether the user can change the file. */
  editable: boolean
  /** Called with each change. */
  onChange: (text: Text) => void
}

interface TextParts {
  /** Renders the text. */
  draw: (open: OpenText) => ReactNode
  /** Returns the problem of a text; a save with a problem needs a confirmation. */
  problemOf?: (file: File, text: Text) => string | undefined
}

/** A tool for a text file: reads it, stores a draft of changes, and saves a new version. */
export function TextTool({ id, editable = false, onClose, ...parts }: Omit<ToolProps, 'tool'> & TextParts) {
  return (
    <FileContent fid={id} limitBytes={maxTextBytes} confirmsLarge={!editable}>
      {(file, content) => (
        <ReadText {...parts} file={file} content={content} editable={editable} onClose={onClose} />
      )}
    </FileContent>
  )
}

interface FileParts extends TextParts {
  file: File
  editable: boolean
  onClose: () => void
}

function ReadText({ content, ...parts }: FileParts & { content: Blob }) {
  const [read, setRead] = useState<{ text: TextContent | undefined }>()
  useEffect(() => {
    let gone = false
    void readText(content).then((text) => {
      if (!gone) setRead({ text })
    })
    return () => {
      gone = true
    }
  }, [content])
  if (read === undefined)
    return (
      <Centered>
        <Skeleton width={240} lines={6} />
      </Centered>
    )
  if (read.text === undefined)
    return (
      <>
        <FileToolHeader file={parts.file} />
        <Centered>
          <EmptyState icon={<IconFileOff size={20} stroke={1.6} />} title="This file is not text">
            Only UTF-8 text can be opened here. Download the file to open it in another program.
          </EmptyState>
        </Centered>
      </>
    )
  return <EditedText {...parts} read={read.text} />
}

/** The draft of a text that was not saved when the session ended. */
interface StoredText {
  /** The version that the draft is based on. */
  file: File
  text: string
}

function EditedText({ file, editable, onClose, problemOf, draw, read }: FileParts & { read: TextContent }) {
  const draftLocation = { key: 'ng-text-draft', location: `${file.groupName}/${file.fileName}` }
  const storedDraft = useStoredDraft<StoredText>(draftLocation, editable)
  const [restored, setRestored] = useState(storedDraft)
  const stored = useMemo(() => textOf(read.text), [read])
  const [initial, setInitial] = useState(() =>
    storedDraft === undefined ? stored : textOf(storedDraft.text),
  )
  const [text, setText] = useState(initial)
  const isChanged = useMemo(() => !text.eq(stored), [text, stored])
  /** The version that the text is based on. */
  const begun = restored?.file ?? file
  useDraftStorage<StoredText>(
    draftLocation,
    editable && isChanged ? () => ({ file: begun, text: text.toString() }) : undefined,
  )
  function discard() {
    setRestored(undefined)
    setInitial(stored)
    setText(stored)
  }
  const saving = useSaving({
    file: begun,
    problem: () => problemOf?.(file, text),
    content: () => writeText(text.toString(), read),
    onSaved: onClose,
  })
  const save = () => {
    if (editable && isChanged) saving.save()
  }
  useUnsavedTool(isChanged)
  useShortcut('mod+s', save, { label: editable ? 'Save the file' : 'Save the file (read only)' })
  const { confirmation } = saving
  return (
    <>
      <FileToolHeader file={file} note={editable ? '' : 'read only'}>
        {editable ? (
          <Button
            variant="primary"
            icon={<IconDeviceFloppy size={16} stroke={1.6} />}
            busy={saving.isBusy}
            disabled={!isChanged}
            onClick={save}
          >
            Save
          </Button>
        ) : null}
      </FileToolHeader>
      {restored === undefined ? null : (
        <div className={tool.bar} role="status">
          Your unsaved changes were restored.
          <Button onClick={discard}>Discard changes</Button>
        </div>
      )}
      <Fragment key={restored === undefined ? 'stored' : 'draft'}>
        {draw({ file, initial, text, editable, onChange: setText })}
      </Fragment>
      <ConfirmDialog
        open={confirmation?.kind === 'problem'}
        title="Save with a syntax error?"
        danger
        confirmLabel="Save anyway"
        cancelLabel="Keep editing"
        onConfirm={saving.confirm}
        onClose={saving.dismiss}
      >
        {confirmation?.kind === 'problem' ? confirmation.problem : null}
      </ConfirmDialog>
      <ConfirmDialog
        open={confirmation?.kind === 'newer'}
        title="This file has a newer version"
        confirmLabel="Save as latest version"
        cancelLabel="Keep editing"
        onConfirm={saving.confirm}
        onClose={saving.dismiss}
      >
        {confirmation?.kind === 'newer' ? (
          <span>
            You are editing version {begun.version}. {confirmation.newest.owner} saved version{' '}
            {confirmation.newest.version} on <Time value={confirmation.newest.arrivalTime} show="datetime" />.
            You can save your text as the latest version; it does not contain their changes.
          </span>
        ) : null}
      </ConfirmDialog>
    </>
  )
}

function textOf(text: string): Text {
  return Text.of(text.split('\n'))
}
