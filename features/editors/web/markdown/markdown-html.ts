import { Marked } from 'marked'

/** Allowed tags without attributes; other HTML is displayed as text. */
const allowedTag = /^<\/?(?:br|hr|sub|sup|kbd|mark|u|b|i|em|strong|details|summary)\s*\/?>$/i

const marked = new Marked({ gfm: true, breaks: false, async: false })
marked.use({
  renderer: {
    html: ({ text }) => (allowedTag.test(text.trim()) ? text : escapeHtml(text)),
  },
})

/** Maximum number and depth of tags, so that the browser renders the text quickly. */
const maxTags = 20_000
const maxDepth = 60

/** Returns markdown as unsanitised HTML; undefined if it is too large to render quickly. */
export function markdownHtml(text: string): string | undefined {
  try {
    const html = marked.parse(text) as string
    return isDrawable(html) ? html : undefined
  } catch (error) {
    // very deep nesting exhausts the stack
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Escapes text for HTML. */
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
