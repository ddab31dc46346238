import DOMPurify from 'dompurify'
import { Marked } from 'marked'

/** Tags without attributes that markdown has no sign for; any other HTML is shown as the text it is. */
const allowedTag = /^<\/?(?:br|hr|sub|sup|kbd|mark|u|b|i|em|strong|details|summary)\s*\/?>$/i

const marked = new Marked({ gfm: true, breaks: false, async: false })
marked.use({
  renderer: {
    html: ({ text }) => (allowedTag.test(text.trim()) ? text : escapeHtml(text)),
  },
})

/** Addresses a link may have: web, mail, parts of this page and paths of this site. */
const allowedAddress = /^(?:https?:|mailto:|#|\/(?!\/)|\.{0,2}\/)/i

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/**
 * Markdown as HTML that is safe to show: no scripts, no styles, no forms, no frames, no addresses but of the web. Links to
 * other sites open in a tab of their own.
 */
export function renderMarkdown(text: string): string {
  const html = marked.parse(text) as string
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'iframe', 'audio', 'video'],
    FORBID_ATTR: ['style', 'class', 'id', 'name'],
    ALLOWED_URI_REGEXP: allowedAddress,
  })
  for (const link of fragment.querySelectorAll('a[href]')) {
    if (!/^https?:/i.test(link.getAttribute('href') ?? '')) continue
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
  for (const table of fragment.querySelectorAll('table')) table.setAttribute('tabindex', '0')
  const holder = document.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}
