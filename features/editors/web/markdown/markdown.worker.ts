import { markdownHtml } from './markdown-html.ts'

/** Messages of the worker: its start, and the HTML, undefined if it is too large. */
export type MarkdownNews = 'begins' | { html: string | undefined }

// Some texts keep the parser busy for hours; the page can terminate a worker.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage('begins' satisfies MarkdownNews)
  postMessage({ html: markdownHtml(data) } satisfies MarkdownNews)
})
