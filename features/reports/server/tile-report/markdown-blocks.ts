/** A block of Markdown. */
export interface MarkdownBlock {
  /** Heading, list item, code block or paragraph. */
  kind: 'heading' | 'listItem' | 'code' | 'paragraph'
  /** Marker of a list item, `•` or its number; empty for other blocks. */
  marker: string
  /** Lines of the block. */
  lines: string[]
}

/** Renders the parts of a line. `inner` is rendered text, `text` is not. */
export interface MarkdownWriter {
  /** Renders plain text. */
  plain(text: string): string
  /** Renders bold text. */
  strong(inner: string): string
  /** Renders italic text. */
  emphasis(inner: string): string
  /** Renders inline code. */
  code(text: string): string
  /** Renders a link; `address` is an absolute http, https or mailto URL. */
  link(inner: string, address: string): string
}

/** Parses the blocks of Markdown text. Supports only what e-mails need; other syntax remains plain text. */
export function markdownBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let open: MarkdownBlock | undefined
  let fenced = false
  function add(kind: MarkdownBlock['kind'], lines: string[], marker = ''): void {
    open = { kind, marker, lines }
    blocks.push(open)
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^\s{0,3}```/.test(line)) {
      fenced = !fenced
      if (fenced) add('code', [])
      else open = undefined
      continue
    }
    if (fenced) {
      open?.lines.push(line)
      continue
    }
    const heading = /^\s{0,3}#{1,6}\s+(.*)$/.exec(line)
    const entry = /^\s*([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line)
    if (line.trim() === '') open = undefined
    else if (heading) {
      add('heading', [heading[1]!.replace(/\s#+\s*$/, '')])
      open = undefined
    } else if (entry) add('listItem', [entry[2]!], /\d/.test(entry[1]!) ? entry[1] : '•')
    else {
      const content = line.replace(/^\s*(?:>\s?)?/, '')
      if (open === undefined) add('paragraph', [content])
      else open.lines.push(content)
    }
  }
  return blocks.filter(({ lines }) => lines.length > 0)
}

/** Inline syntax. Lengths are bounded so that a hostile line cannot cause excessive backtracking. */
const marks =
  /\\([!-/:-@[-`{-~])|`([^`]{1,500})`|!\[([^\]]{0,500})\]\([^)]{0,2000}\)|\[([^\]]{1,500})\]\((\S{1,2000}?)(?:\s+"[^"]{0,500}")?\)|\*\*(?=\S)(.{1,500}?)\*\*|__(?=\S)(.{1,500}?)__|\*(?=\S)([^*]{1,500})\*|(?<!\w)_(?=\S)([^_]{1,500})_(?!\w)/g

/** Renders a line of Markdown. */
export function renderLine(line: string, writer: MarkdownWriter, depth = 0): string {
  if (depth > 3) return writer.plain(line)
  const inner = (text: string) => renderLine(text, writer, depth + 1)
  let written = ''
  let at = 0
  for (const match of line.matchAll(marks)) {
    const [
      whole,
      escaped,
      code,
      picture,
      linked,
      address,
      strong,
      strongUnderscore,
      emphasis,
      emphasisUnderscore,
    ] = match
    written += writer.plain(line.slice(at, match.index))
    at = match.index + whole.length
    if (escaped !== undefined) written += writer.plain(escaped)
    else if (code !== undefined) written += writer.code(code)
    else if (picture !== undefined) written += writer.plain(picture)
    else if (linked !== undefined) {
      const safe = safeAddress(address!)
      written += safe === undefined ? inner(linked) : writer.link(inner(linked), safe)
    } else if ((strong ?? strongUnderscore) !== undefined)
      written += writer.strong(inner((strong ?? strongUnderscore)!))
    else written += writer.emphasis(inner((emphasis ?? emphasisUnderscore)!))
  }
  return written + writer.plain(line.slice(at))
}

/** Normalises an absolute http, https or mailto URL; returns undefined for other texts. */
export function safeAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
}
