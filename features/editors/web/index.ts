import type { FeatureRoutes } from '@headwater/web-kit'

export { PreviewGrid } from './components/PreviewGrid.tsx'
export { HtmlFrame } from './components/HtmlFrame.tsx'
export { FileDifference } from './difference/FileDifference.tsx'
export { imageTypeOf } from './image/image-type.ts'
export { type PictureRefusal, usePicture } from './image/use-picture.ts'
export { CodeField } from './text/CodeField.tsx'
export type { SqlNames } from './text/languages.ts'
export { originalText, readText, type TextContent } from './text/text-content.ts'
export { MarkdownText } from './markdown/MarkdownText.tsx'
export { useRenderedMarkdown } from './markdown/use-rendered-markdown.ts'
export { pdfProblem } from './pdf/open-pdf.ts'
export { PdfPages } from './pdf/PdfPages.tsx'
export { usePdf } from './pdf/use-pdf.ts'
export { maxImageBytes, maxPdfBytes } from './size-limits.ts'

const access = { resource: 'Files', parent: 'Lake' } as const

/** Tools of the editors feature, each for one file of the lake. */
export const editorsWeb: FeatureRoutes = {
  routes: [],
  tools: (
    [
      'image',
      'pdf',
      'markdown',
      'html',
      'ftl',
      'code',
      'notebook',
      'new-file',
      'ncsv-creator',
      'ncsv-preview',
      'table-preview',
      'versions',
      'csv',
      'csv-basic',
    ] as const
  ).map((id) => ({
    id,
    access,
    lazy: async () => (await import('./tools.ts')).loadTool[id](),
  })),
}
