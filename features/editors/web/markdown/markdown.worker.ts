import { markdownHtml } from './markdown-html.ts'

/** What the worker tells: that it begins, and in the end the HTML, undefined when there is too much of it. */
export type MarkdownNews = 'begins' | { html: string | undefined }

// Some texts keep the parser busy for hours; here that can be ended from outside.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage('begins' satisfies MarkdownNews)
  postMessage({ html: markdownHtml(data) } satisfies MarkdownNews)
})
