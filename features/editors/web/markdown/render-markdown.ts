import DOMPurify from 'dompurify'
import { escapeHtml, markdownHtml } from './markdown-html.ts'
import type { MarkdownNews } from './markdown.worker.ts'

/** A text ready for display. */
export interface RenderedText {
  /** Sanitised HTML. */
  html: string
  /** Whether the text is displayed as written because rendering it as markdown would take too long. */
  isPlain: boolean
}

/** Maximum length of a text that is always parsed quickly, in characters. */
const quickCharacters = 2000
/** Time limit of the parser for longer texts, in milliseconds. */
const patienceMs = 2000

/** Allowed URLs of links: web, mail, fragments and paths of this site. */
const allowedAddress = /^(?:https?:|mailto:|#|\/(?![/\\])|\.{1,2}\/)/i
/** Allowed embedded images. An SVG could block the page. */
const allowedPicture = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i

/** Renders a short text immediately. Returns undefined for a longer text, which a worker must render. */
export function renderQuickly(text: string): RenderedText | undefined {
  return text.length <= quickCharacters ? renderedText(text, markdownHtml(text)) : undefined
}

/** Renders a text of any length in a worker, so that no text can block the page. */
export async function renderBeside(text: string, signal: AbortSignal): Promise<RenderedText> {
  const worker = new Worker(new URL('./markdown.worker.ts', import.meta.url), { type: 'module' })
  const html = await new Promise<string | undefined>((resolve) => {
    const giveUp = () => resolve(undefined)
    signal.addEventListener('abort', giveUp, { once: true })
    worker.addEventListener('error', giveUp)
    worker.addEventListener('message', ({ data }: MessageEvent<MarkdownNews>) => {
      // The time limit begins when the worker has started, so that loading its code does not count.
      if (data === 'begins') setTimeout(giveUp, patienceMs)
      else resolve(data.html)
    })
    worker.postMessage(text)
  })
  worker.terminate()
  return renderedText(text, html)
}

function renderedText(text: string, html: string | undefined): RenderedText {
  return html === undefined
    ? { html: `<pre>${escapeHtml(text)}</pre>`, isPlain: true }
    : { html: sanitised(html), isPlain: false }
}

/**
 * Returns sanitised HTML: no scripts, styles, forms or frames, and only web URLs. Links to other sites open in a new tab.
 */
function sanitised(html: string): string {
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
  for (const picture of fragment.querySelectorAll('img')) {
    const address = (picture.getAttribute('src') ?? '').trim()
    if (/^data:/i.test(address) && !allowedPicture.test(address)) picture.removeAttribute('src')
  }
  for (const table of fragment.querySelectorAll('table')) table.setAttribute('tabindex', '0')
  const holder = document.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}
