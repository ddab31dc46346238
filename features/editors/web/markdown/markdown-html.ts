import { Marked } from 'marked'

/** Tags without attributes that markdown has no sign for; any other HTML is shown as the text it is. */
const allowedTag = /^<\/?(?:br|hr|sub|sup|kbd|mark|u|b|i|em|strong|details|summary)\s*\/?>$/i

const marked = new Marked({ gfm: true, breaks: false, async: false })
marked.use({
  renderer: {
    html: ({ text }) => (allowedTag.test(text.trim()) ? text : escapeHtml(text)),
  },
})

/** The most tags of a text, and how deep they may be nested, so that a page draws it in a moment. */
const maxTags = 20_000
const maxDepth = 60

/** Markdown as HTML that still has to be sanitised; undefined when there is too much of it to be drawn in a moment. */
export function markdownHtml(text: string): string | undefined {
  try {
    const html = marked.parse(text) as string
    return isDrawable(html) ? html : undefined
  } catch (error) {
    // what is nested without end exhausts the stack
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Text as HTML that shows it letter for letter. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function isDrawable(html: string): boolean {
  let tags = 0
  let depth = 0
  for (const [, end, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    tags += 1
    if (end === '/') depth = Math.max(0, depth - 1)
    else if (!/^(?:br|hr|img|input)$/i.test(name!)) depth += 1
    if (tags > maxTags || depth > maxDepth) return false
  }
  return true
}
