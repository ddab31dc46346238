import { useState } from 'react'
import IconFileOff from '@tabler/icons-react/dist/esm/icons/IconFileOff.mjs'
import { maxTextBytes, type File } from '@headwater/files/contract'
import { EmptyState, type ToolProps, useTimeZone } from '@headwater/web-kit'
import { Centered, FileContent, FileToolHeader } from '../components/FileContent.tsx'
import { NcsvCreator } from './NcsvCreator.tsx'
import { readTable } from './read-table.ts'

/** Creates a series file from a CSV file in four steps. */
export default function NcsvTool({ id, editable = false, onClose }: ToolProps) {
  return (
    <FileContent fid={id} form="arraybuffer" limitBytes={maxTextBytes} confirmsLarge={false}>
      {(file, content) => <ReadFile file={file} content={content} editable={editable} onClose={onClose} />}
    </FileContent>
  )
}

function ReadFile({
  file,
  content,
  editable,
  onClose,
}: {
  file: File
  content: ArrayBuffer
  editable: boolean
  onClose: () => void
}) {
  const timeZone = useTimeZone()
  const [read] = useState(() => readTable(content, file.fileName, timeZone))
  if ('problem' in read)
    return (
      <>
        <FileToolHeader file={file} />
        <Centered>
          <EmptyState
            icon={<IconFileOff size={20} stroke={1.6} />}
            title={read.isEmpty ? 'This file has no rows' : 'CSV file is damaged and can not be parsed'}
          >
            {read.problem}
          </EmptyState>
        </Centered>
      </>
    )
  return (
    <NcsvCreator
      file={file}
      read={read}
      readAt={(headerLine) => readTable(content, file.fileName, timeZone, headerLine)}
      editable={editable}
      onClose={onClose}
    />
  )
}
