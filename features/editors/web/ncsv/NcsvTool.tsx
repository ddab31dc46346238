import { useEffect, useState } from 'react'
import IconFileOff from '@tabler/icons-react/dist/esm/icons/IconFileOff.mjs'
import type { File } from '@headwater/files/contract'
import { maxTextBytes } from '@headwater/files/web'
import { EmptyState, Skeleton, type ToolProps, useTimeZone } from '@headwater/web-kit'
import { Centered, FileContent, FileToolHeader } from '../components/FileContent.tsx'
import { NcsvCreator } from './NcsvCreator.tsx'
import { type ReadTable, readTable } from './read-table.ts'

/** Creates a series file from a CSV file in four steps. */
export default function NcsvTool({ id, editable = false, onClose }: ToolProps) {
  return (
    <FileContent fid={id} limitBytes={maxTextBytes} confirmsLarge={false}>
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
  content: Blob
  editable: boolean
  onClose: () => void
}) {
  const timeZone = useTimeZone()
  const [read, setRead] = useState<ReadTable | { problem: string }>()
  useEffect(() => {
    let isGone = false
    void readTable(content, file.fileName, timeZone).then((result) => {
      if (!isGone) setRead((before) => before ?? result)
    })
    return () => {
      isGone = true
    }
  }, [content, file.fileName, timeZone])
  if (read === undefined)
    return (
      <Centered>
        <Skeleton width={240} lines={6} />
      </Centered>
    )
  if ('problem' in read)
    return (
      <>
        <FileToolHeader file={file} />
        <Centered>
          <EmptyState
            icon={<IconFileOff size={20} stroke={1.6} />}
            title="CSV file is damaged and can not be parsed"
          >
            {read.problem}
          </EmptyState>
        </Centered>
      </>
    )
  return <NcsvCreator file={file} read={read} editable={editable} onClose={onClose} />
}
