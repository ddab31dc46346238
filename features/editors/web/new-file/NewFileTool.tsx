import { useSettings } from '@headwater/accounts/web'
import type { ToolProps } from '@headwater/web-kit'
import { ftlParts } from '../ftl/FtlTool.tsx'
import { htmlParts } from '../html/HtmlTool.tsx'
import { markdownParts } from '../markdown/MarkdownTool.tsx'
import { codeParts } from '../text/CodeTool.tsx'
import { EditedText, type TextParts } from '../text/EditedText.tsx'

const partsByExtension: Readonly<Record<string, TextParts>> = {
  md: markdownParts,
  html: htmlParts,
  ftl: ftlParts,
}

const emptyText = { text: '', lineEnd: '\n', hasMark: false } as const

/** Creates a text file. The id of the tool is the extension of the file. */
export default function NewFileTool({ id: extension, groupName, onClose }: ToolProps) {
  const settings = useSettings()
  return (
    <EditedText
      {...(partsByExtension[extension] ?? codeParts)}
      file={undefined}
      suggested={{
        fileName: `New Script.${extension}`,
        groupName: groupName ?? settings?.defaultGroup ?? '',
        fileType: extension === 'md' ? 'MARKDOWN' : 'SOURCE',
      }}
      read={emptyText}
      editable
      onClose={onClose}
    />
  )
}
