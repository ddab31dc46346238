import { markdownHtml } from './markdown-html.ts'

/** Messages of the worker: its start, and the HTML, undefined if it is too large. */
export type MarkdownNews = 'begins' | { html: string | undefined }

// Parsing runs in a worker, which the page can terminate, because some texts keep the parser busy for hours.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage('begins' satisfies MarkdownNews)
  postMessage({ html: markdownHtml(data) } satisfies MarkdownNews)
})
