import { useState } from 'react'
import { useSettings } from '@headwater/accounts/web'
import type { ToolProps } from '@headwater/web-kit'
import { CsvEditor } from '../csv/CsvEditor.tsx'
import type { FileDetails } from '../details/use-file-details.ts'
import { ftlParts } from '../ftl/FtlTool.tsx'
import { htmlParts } from '../html/HtmlTool.tsx'
import { markdownParts } from '../markdown/MarkdownTool.tsx'
import { notebookParts } from '../notebook/NotebookTool.tsx'
import { codeParts } from '../text/CodeTool.tsx'
import { EditedText, type TextParts } from '../text/EditedText.tsx'
import { newNotebookText, newTableLayout } from './new-content.ts'

const partsByExtension: Readonly<Record<string, TextParts>> = {
  md: markdownParts,
  html: htmlParts,
  ftl: ftlParts,
  ipynb: notebookParts,
}

const emptyText = { text: '', lineEnd: '\n', hasMark: false } as const
const newNotebook = { ...emptyText, text: newNotebookText() }

/** Creates a text file, a notebook or a CSV file. The id of the tool is the extension of the file. */
export default function NewFileTool({ id: extension, groupName, onClose }: ToolProps) {
  const settings = useSettings()
  const suggested = {
    fileName: `New Script.${extension}`,
    groupName: groupName ?? settings?.defaultGroup ?? '',
    fileType: extension === 'md' ? 'MARKDOWN' : 'SOURCE',
  }
  if (extension === 'csv') return <NewTable suggested={suggested} onClose={onClose} />
  return (
    <EditedText
      {...(partsByExtension[extension] ?? codeParts)}
      file={undefined}
      suggested={suggested}
      read={extension === 'ipynb' ? newNotebook : emptyText}
      editable
      onClose={onClose}
    />
  )
}

function NewTable({ suggested, onClose }: { suggested: FileDetails; onClose: () => void }) {
  const [layout] = useState(newTableLayout)
  return (
    <CsvEditor
      file={undefined}
      suggested={suggested}
      layout={layout}
      isBasic={false}
      editable
      onClose={onClose}
    />
  )
}
