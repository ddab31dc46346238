import { useState } from 'react'
import IconFileOff from '@tabler/icons-react/dist/esm/icons/IconFileOff.mjs'
import { maxTextBytes, type File } from '@headwater/files/contract'
import { EmptyState, type ToolProps } from '@headwater/web-kit'
import { Centered, FileContent, FileToolHeader } from '../components/FileContent.tsx'
import { EditedText, type TextParts } from './EditedText.tsx'
import { readText } from './text-content.ts'

/** A tool for a stored text file: reads it, and lets the user change it. */
export function TextTool({
  id,
  editable = false,
  disabled = false,
  onClose,
  parts,
}: Omit<ToolProps, 'tool'> & { parts: TextParts }) {
  const [fid, setFid] = useState(id)
  return (
    <FileContent
      fid={fid}
      form="arraybuffer"
      limitBytes={maxTextBytes}
      confirmsLarge={!editable}
      route={parts.calls?.content}
    >
      {(file, content) => (
        <ReadText
          key={file.fid}
          parts={parts}
          file={file}
          content={content}
          editable={editable && !disabled}
          note={disabled ? 'older version, read only' : ''}
          onOpenVersion={setFid}
          onClose={onClose}
        />
      )}
    </FileContent>
  )
}

function ReadText({
  parts,
  file,
  content,
  editable,
  note,
  onOpenVersion,
  onClose,
}: {
  parts: TextParts
  file: File
  content: ArrayBuffer
  editable: boolean
  note: string
  onOpenVersion: (fid: string) => void
  onClose: () => void
}) {
  const [read] = useState(() => readText(content))
  if (read === undefined)
    return (
      <>
        <FileToolHeader file={file} />
        <Centered>
          <EmptyState icon={<IconFileOff size={20} stroke={1.6} />} title="This file is not text">
            Only UTF-8 text can be opened here. Download the file to open it in another program.
          </EmptyState>
        </Centered>
      </>
    )
  return (
    <EditedText
      {...parts}
      file={file}
      suggested={file}
      read={read}
      editable={editable}
      note={note}
      onOpenVersion={onOpenVersion}
      onClose={onClose}
    />
  )
}
