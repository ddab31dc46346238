import { message, openTool } from '@headwater/web-kit'
import { extensionOf, imageExtensions, type File } from '../contract/index.ts'

/** The action of a tool: it edits text, shows text without write access, and previews images and PDF. */
export type FileToolAction = 'Edit' | 'View' | 'Preview'

/** The tool for a file. */
export interface FileTool {
  /** Id of the tool. */
  tool: string
  /** The action of the tool. */
  action: FileToolAction
}

/** The largest text that is edited or viewed, in bytes. */
export const maxTextBytes = 25_000_000

const codeExtensions = ['html', 'ftl', 'py', 'sh', 'json', 'ipynb', 'txt', 'js', 'sql', '']
const textTools = new Map([
  ['md', 'markdown'],
  ...codeExtensions.map((extension) => [extension, 'code'] as const),
])
const previewTools = new Map([
  ['pdf', 'pdf'],
  ...imageExtensions.map((extension) => [extension, 'image'] as const),
])

/** Returns the tool that opens a file; undefined if no tool supports its extension. */
export function fileToolOf({ fileName }: Pick<File, 'fileName'>, canWrite: boolean): FileTool | undefined {
  const extension = extensionOf(fileName)
  const text = textTools.get(extension)
  if (text !== undefined) return { tool: text, action: canWrite ? 'Edit' : 'View' }
  const preview = previewTools.get(extension)
  return preview === undefined ? undefined : { tool: preview, action: 'Preview' }
}

/** Opens the tool of a file over the page; a text that is too large for it is refused with a message. */
export function openFileTool({ fid, fileName, size }: File, { tool, action }: FileTool): void {
  if (action !== 'Preview' && size > maxTextBytes) {
    message('File is bigger than 25MB, please download a file instead.', 'warn')
    return
  }
  openTool({ tool, id: fid, title: fileName, editable: action === 'Edit' })
}
