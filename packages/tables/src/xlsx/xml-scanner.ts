import { TableError } from '../table.ts'

/** Receives the parts of an XML text. Names have no namespace prefix. */
export interface XmlHandler {
  /** Called when an element begins. */
  open(name: string, attributes: string): void
  /** Called with text or a part of it. */
  text(text: string): void
  /** Called when an element ends. */
  close(name: string): void
}

/** Maximum length of a tag, comment or section, in characters. */
const maxTokenLength = 1_000_000
/** Maximum length of a character reference, in characters. */
const maxReferenceLength = 12

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Splits XML into tags and texts as it arrives. Rejects document types and thereby entities. */
export class XmlScanner {
  readonly #handler: XmlHandler
  #rest = ''
  /** Number of open elements. */
  #open = 0

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  /** @throws TableError for invalid XML */
  push(text: string): void {
    const xml = this.#rest + text
    let at = 0
    while (at < xml.length) {
      const end = xml[at] === '<' ? tagEnd(xml, at) : textEnd(xml, at)
      if (end < 0) break
      if (xml[at] === '<') this.#tag(xml.slice(at, end))
      else this.#handler.text(decodeXml(xml.slice(at, end)))
      at = end
    }
    this.#rest = xml.slice(at)
    if (this.#rest.length > maxTokenLength)
      throw new TableError(`A tag has more than ${maxTokenLength.toLocaleString('en')} characters.`)
  }

  /** @throws TableError if the text ends within a tag or an element */
  end(): void {
    if (this.#rest.trim() !== '') throw new TableError('A part of the workbook ends within a tag.')
    if (this.#open !== 0)
      throw new TableError('A part of the workbook is incomplete: not all of its elements end.')
  }

  #tag(tag: string): void {
    if (tag.startsWith('<?') || tag.startsWith('<!--')) return
    if (tag.startsWith('<![CDATA[')) return this.#handler.text(tag.slice(9, -3))
    const isClosing = tag[1] === '/'
    const isEmpty = tag.endsWith('/>')
    const start = isClosing ? 2 : 1
    const inside = tag.slice(start, isEmpty ? -2 : -1)
    const space = blankIn(inside)
    const full = space < 0 ? inside : inside.slice(0, space)
    const name = full.slice(full.indexOf(':') + 1)
    if (isClosing) {
      this.#open--
      return this.#handler.close(name)
    }
    this.#handler.open(name, space < 0 ? '' : inside.slice(space))
    if (isEmpty) this.#handler.close(name)
    else this.#open++
    return undefined
  }
}

/** Returns the position of the first blank; -1 without one. */
function blankIn(text: string): number {
  for (let at = 0; at < text.length; at++) if (isBlank(text.charCodeAt(at))) return at
  return -1
}

/** Maximum length of an attribute name, and maximum number of blanks around the equals sign. */
const maxNameLength = 100
const maxBlanks = 9

/**
 * Returns the attributes of a tag by name, without prefix. Names have at most 100 characters, so that the search takes
 * linear time.
 */
export function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  let from = 0
  for (let sign = text.indexOf('='); sign >= 0; sign = text.indexOf('=', from)) {
    let start = sign
    while (start > from && sign - start < maxBlanks && isBlank(text.charCodeAt(start - 1))) start--
    const nameEnd = start
    while (start > from && nameEnd - start < maxNameLength && isNameCharacter(text.charCodeAt(start - 1)))
      start--
    let quote = sign + 1
    while (quote - sign <= maxBlanks && isBlank(text.charCodeAt(quote))) quote++
    const mark = text[quote]
    const end = mark === '"' || mark === "'" ? text.indexOf(mark, quote + 1) : -1
    from = sign + 1
    if (start === nameEnd || end < 0) continue
    const name = text.slice(start, nameEnd)
    attributes.set(name.slice(name.indexOf(':') + 1), decodeXml(text.slice(quote + 1, end)))
    from = end + 1
  }
  return attributes
}

/** XML has no other blanks than the space, the tab and line breaks. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function isNameCharacter(code: number): boolean {
  // = / " '
  return !isBlank(code) && code !== 61 && code !== 47 && code !== 34 && code !== 39
}

/** Returns the end of the text that can be processed now. A reference may continue in the next part. */
function textEnd(xml: string, at: number): number {
  const end = xml.indexOf('<', at)
  if (end >= 0) return end
  const reference = xml.lastIndexOf('&')
  const isOpen =
    reference >= at && xml.length - reference < maxReferenceLength && !xml.includes(';', reference)
  if (!isOpen) return xml.length
  return reference === at ? -1 : reference
}

/** Returns the position after a tag; -1 if it is incomplete. */
function tagEnd(xml: string, at: number): number {
  const after = (end: string) => {
    const position = xml.indexOf(end, at)
    return position < 0 ? -1 : position + end.length
  }
  if (xml[at + 1] === '?') return after('?>')
  if (xml[at + 1] === '!') {
    if (xml.startsWith('<!--', at)) return after('-->')
    if (xml.startsWith('<![CDATA[', at)) return after(']]>')
    if (xml.length - at < 9) return -1
    throw new TableError('The workbook contains a document type, which is not allowed.')
  }
  let from = at
  let end = xml.indexOf('>', at)
  while (end >= 0) {
    // The character is part of a quoted value.
    const quote = firstQuote(xml, from, end)
    if (quote < 0) return end + 1
    const close = xml.indexOf(xml[quote]!, quote + 1)
    if (close < 0) return -1
    from = close + 1
    if (close > end) end = xml.indexOf('>', from)
  }
  return -1
}

function firstQuote(xml: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const letter = xml[at]
    if (letter === '"' || letter === "'") return at
  }
  return -1
}

function decodeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[\da-fA-F]{1,6}|#\d{1,7}|[a-z]{1,4});|&/g, (all, name: string | undefined) => {
    if (name?.startsWith('#')) {
      const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
      if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
    } else if (name !== undefined && Object.hasOwn(entities, name)) return entities[name]!
    throw new TableError(`The workbook contains the unknown reference “${name ?? all}”.`)
  })
}
