import { message, openTool, type UsedObject } from '@headwater/web-kit'
import {
  extensionOf,
  imageExtensions,
  isSeriesFile,
  maxTextBytes,
  tableFormatOf,
  type File,
} from '../contract/index.ts'

/** The action of a tool: `Edit` for text, `View` for text without write access, `Preview` for images, PDF and tables. */
export type FileToolAction = 'Edit' | 'View' | 'Preview'

/** The tool for a file. */
export interface FileTool {
  /** Id of the tool. */
  tool: string
  /** The action of the tool. */
  action: FileToolAction
}

/** Minimum size of a CSV file that opens in the basic editor, in bytes. */
const basicCsvBytes = 20_000_000
/** Maximum size of a CSV file that can be edited, in bytes. Larger files only have a preview. */
export const maxCsvBytes = 250_000_000
/** Maximum size of a version that the browser restores, in bytes. */
const maxRestoredBytes = 10_000_000

const codeExtensions = ['py', 'sh', 'json', 'txt', 'js', 'sql', '']
const textTools = new Map([
  ['md', 'markdown'],
  ['html', 'html'],
  ['ftl', 'ftl'],
  ['ipynb', 'notebook'],
  ...codeExtensions.map((extension) => [extension, 'code'] as const),
])
const previewTools = new Map([
  ['pdf', 'pdf'],
  ...imageExtensions.map((extension) => [extension, 'image'] as const),
])

/**
 * Tools that can save only the latest version of a file. Other tools warn, and then save an older version as the latest one.
 */
const latestOnlyTools = new Set(['html', 'ftl'])

/** Kinds of files that can be created on the page: extension and name. */
export const newFileKinds = [
  { extension: 'txt', label: 'Text' },
  { extension: 'csv', label: 'CSV table' },
  { extension: 'md', label: 'Markdown' },
  { extension: 'html', label: 'HTML page' },
  { extension: 'ftl', label: 'FreeMarker template' },
  { extension: 'json', label: 'JSON' },
  { extension: 'py', label: 'Python script' },
  { extension: 'sql', label: 'SQL query' },
  { extension: 'js', label: 'JavaScript' },
  { extension: 'sh', label: 'Shell script' },
  { extension: 'ipynb', label: 'Jupyter notebook' },
] as const

/**
 * Opens the tool that creates a file.
 * @param extension one of {@link newFileKinds}
 * @param groupName suggested group
 */
export function openNewFileTool(extension: string, groupName: string | undefined): void {
  openTool({
    tool: 'new-file',
    id: extension,
    title: 'New file',
    editable: true,
    ...(groupName === undefined ? {} : { groupName }),
  })
}

/** Returns the tool that opens a file; undefined if no tool supports its extension. */
export function fileToolOf(
  { fileName, fileType = 'SOURCE', size }: Pick<File, 'fileName' | 'size'> & Partial<Pick<File, 'fileType'>>,
  canWrite: boolean,
): FileTool | undefined {
  const extension = extensionOf(fileName)
  // A series file is a CSV file, but its preview is more useful than its text.
  if (extension === 'ncsv' && isSeriesFile(fileType))
    return canWrite && size <= maxCsvBytes
      ? csvToolOf(size, true)
      : { tool: 'ncsv-preview', action: 'Preview' }
  if (extension === 'csv') return csvToolOf(size, canWrite)
  const text = textTools.get(extension)
  if (text !== undefined) return { tool: text, action: canWrite ? 'Edit' : 'View' }
  if (tableFormatOf(fileName) !== undefined) return { tool: 'table-preview', action: 'Preview' }
  const preview = previewTools.get(extension)
  return preview === undefined ? undefined : { tool: preview, action: 'Preview' }
}

function csvToolOf(size: number, canWrite: boolean): FileTool {
  if (size > maxCsvBytes) return { tool: 'csv-basic', action: 'Preview' }
  return { tool: size < basicCsvBytes ? 'csv' : 'csv-basic', action: canWrite ? 'Edit' : 'View' }
}

/** Returns the reference to a file for the list of objects that use it. */
export function usedObjectOf({ fileName: name, groupName, fileType }: File): UsedObject & { name: string } {
  return { type: 'FILE', name, groupName, fileType }
}

/** Returns whether the NCSV creator can create a series file from a file. */
export function canCreateNcsv({ fileName, fileType }: Pick<File, 'fileName' | 'fileType'>): boolean {
  return ['csv', 'tsv'].includes(extensionOf(fileName)) && !isSeriesFile(fileType)
}

/** Opens the preview of a series file: column types, first rows, symbols and dates. */
export function openSeriesPreview({ fid, fileName }: File): void {
  openTool({ tool: 'ncsv-preview', id: fid, title: fileName, editable: false })
}

/** Opens the NCSV creator for a file. */
export function openNcsvCreator({ fid, fileName }: File): void {
  openTool({ tool: 'ncsv-creator', id: fid, title: `NCSV of ${fileName}`, editable: true })
}

/** Returns whether versions of a file can be compared as text. */
export function canCompareVersions({ fileName }: Pick<File, 'fileName'>): boolean {
  const extension = extensionOf(fileName)
  return ['csv', 'tsv', 'ncsv'].includes(extension) || textTools.has(extension)
}

/** Returns whether a version can be restored: it is an earlier version of a text file. */
export function canRestoreVersion(file: Pick<File, 'fileName' | 'latest' | 'size'>): boolean {
  return !file.latest && canCompareVersions(file) && file.size <= maxRestoredBytes
}

/**
 * Opens the comparison of two versions of a file.
 * @param canWrite whether the user can restore the earlier one
 */
export function openVersionComparison(earlier: File, later: File, canWrite: boolean): void {
  openTool({
    tool: 'versions',
    id: `${earlier.fid} ${later.fid}`,
    title: `Versions ${earlier.version} and ${later.version} of ${later.fileName}`,
    editable: canWrite,
  })
}

/** Opens the tool of a file over the page. For a text that is too large, shows a message instead. */
export function openFileTool({ fid, fileName, size, latest }: File, { tool, action }: FileTool): void {
  if (action !== 'Preview' && !tool.startsWith('csv') && size > maxTextBytes) {
    message('File is bigger than 25MB, please download a file instead.', 'warn')
    return
  }
  const disabled = !latest && latestOnlyTools.has(tool)
  openTool({ tool, id: fid, title: fileName, editable: action === 'Edit', disabled })
}
