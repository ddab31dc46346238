/** An HTML text, split at its body. Only the body is edited as rich text. The rest stays unchanged. */
export interface HtmlDocument {
  /** Text before the content of the body; empty for a fragment. */
  before: string
  /** Content of the body, or the whole fragment. */
  body: string
  /** Text after the content of the body. */
  after: string
}

/** Splits an HTML text at its first `<body>` and its last `</body>`. */
export function splitDocument(html: string): HtmlDocument {
  const start = /<body(?:\s[^>]*)?>/i.exec(html)
  if (start === null) return { before: '', body: html, after: '' }
  const from = start.index + start[0].length
  const end = html.toLowerCase().lastIndexOf('</body')
  const to = end < from ? html.length : end
  return { before: html.slice(0, from), body: html.slice(from, to), after: html.slice(to) }
}

/** Returns whether a tag of an HTML text seems to have an attribute such as `onclick`. */
export function hasEventHandlers(html: string): boolean {
  return /<[a-z][^<]*[\s"'/]on[a-z]+\s*=/i.test(html)
}

/** Tags that differ only in name: the editor writes the second instead of the first. */
const sameTags: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' }

/**
 * Returns the tags, attributes and comments of an HTML fragment that another one lacks, such as `<table>` or
 * `style of <p>`, without duplicates. It lists what the editor would lose.
 */
export function lostMarkup(original: string, written: string): string[] {
  const remaining = markupOf(written)
  const lost = new Set<string>()
  for (const [name, count] of markupOf(original)) if ((remaining.get(name) ?? 0) < count) lost.add(name)
  return [...lost]
}

function markupOf(html: string): Map<string, number> {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const counts = new Map<string, number>()
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  const nodes = document.createNodeIterator(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT)
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    if (node === body) continue
    if (!(node instanceof Element)) {
      add('comments')
      continue
    }
    const name = node.localName
    const tag = sameTags[name] ?? name
    add(`<${tag}>`)
    for (const attribute of node.attributes)
      if (!isImplied(tag, attribute.name)) add(`${attribute.name} of <${tag}>`)
  }
  return counts
}

/** Returns whether the editor writes an attribute differently without changing its meaning. */
function isImplied(tag: string, attribute: string): boolean {
  return tag === 'a' && (attribute === 'rel' || attribute === 'target')
}
