/** A piece of markdown: a heading, an entry of a list, code as it is, or a paragraph. */
export interface MarkdownBlock {
  kind: 'heading' | 'entry' | 'code' | 'paragraph'
  /** The sign before an entry, `•` or its number; empty for others. */
  sign: string
  lines: string[]
}

/** How the words of a line are written; what is given to a function is written already, but for `words`. */
export interface MarkdownWriter {
  words(text: string): string
  strong(inner: string): string
  emphasis(inner: string): string
  code(text: string): string
  /** `address` is an absolute http, https or mailto address. */
  link(inner: string, address: string): string
}

/** The blocks of a text in markdown. Only what mails need is understood; anything else stays as it was written. */
export function markdownBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let open: MarkdownBlock | undefined
  let fenced = false
  function add(kind: MarkdownBlock['kind'], lines: string[], sign = ''): void {
    open = { kind, sign, lines }
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
    } else if (entry) add('entry', [entry[2]!], /\d/.test(entry[1]!) ? entry[1] : '•')
    else {
      const words = line.replace(/^\s*(?:>\s?)?/, '')
      if (open === undefined) add('paragraph', [words])
      else open.lines.push(words)
    }
  }
  return blocks.filter(({ lines }) => lines.length > 0)
}

/** Marks of one line, tried where each begins; lengths are bounded so that a hostile line stays cheap. */
const marks =
  /\\([!-/:-@[-`{-~])|`([^`]{1,500})`|!\[([^\]]{0,500})\]\([^)]{0,2000}\)|\[([^\]]{1,500})\]\((\S{1,2000}?)(?:\s+"[^"]{0,500}")?\)|\*\*(?=\S)(.{1,500}?)\*\*|__(?=\S)(.{1,500}?)__|\*(?=\S)([^*]{1,500})\*|(?<!\w)_(?=\S)([^_]{1,500})_(?!\w)/g

/** A line of markdown as a writer writes it. */
export function writtenLine(line: string, writer: MarkdownWriter, depth = 0): string {
  if (depth > 3) return writer.words(line)
  const inner = (text: string) => writtenLine(text, writer, depth + 1)
  let written = ''
  let at = 0
  for (const match of line.matchAll(marks)) {
    const [whole, escaped, code, picture, linked, address, strong, strongToo, emphasis, emphasisToo] = match
    written += writer.words(line.slice(at, match.index))
    at = match.index + whole.length
    if (escaped !== undefined) written += writer.words(escaped)
    else if (code !== undefined) written += writer.code(code)
    else if (picture !== undefined) written += writer.words(picture)
    else if (linked !== undefined) {
      const safe = safeAddress(address!)
      written += safe === undefined ? inner(linked) : writer.link(inner(linked), safe)
    } else if ((strong ?? strongToo) !== undefined) written += writer.strong(inner((strong ?? strongToo)!))
    else written += writer.emphasis(inner((emphasis ?? emphasisToo)!))
  }
  return written + writer.words(line.slice(at))
}

/** An absolute address of the web or of a mailbox in its normal form; undefined for any other. */
export function safeAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
}
