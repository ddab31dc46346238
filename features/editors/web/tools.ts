/** Loads each tool. This file is lazy, so that the first page does not list the files of the tools. */
export const loadTool = {
  image: () => import('./image/ImageTool.tsx'),
  pdf: () => import('./pdf/PdfTool.tsx'),
  markdown: () => import('./markdown/MarkdownTool.tsx'),
  html: () => import('./html/HtmlTool.tsx'),
  ftl: () => import('./ftl/FtlTool.tsx'),
  'new-file': () => import('./new-file/NewFileTool.tsx'),
  code: () => import('./text/CodeTool.tsx'),
  notebook: () => import('./notebook/NotebookTool.tsx'),
  versions: () => import('./versions/VersionsTool.tsx'),
  csv: () => import('./csv/FullCsvTool.tsx'),
  'csv-basic': () => import('./csv/BasicCsvTool.tsx'),
  'ncsv-creator': () => import('./ncsv/NcsvTool.tsx'),
  'ncsv-preview': () => import('./ncsv/NcsvPreviewTool.tsx'),
  'table-preview': () => import('./table/TablePreviewTool.tsx'),
}
