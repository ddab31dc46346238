/** The largest SVG document that is drawn, in bytes. */
export const maxSvgBytes = 10_000_000
/** The most elements that references may add to those of the document. */
const maxAdded = 10_000
/** How deep elements may be nested, along references too. */
const maxDepth = 1000

/** What is asked of an element. */
export interface SvgElement {
  readonly localName: string
  readonly id: string
  readonly textContent: string | null
  readonly children: Iterable<SvgElement>
  readonly attributes: Iterable<{ readonly localName: string; readonly value: string }>
}

/**
 * An SVG document to be looked through; undefined when it is damaged. Its styles and
 * handlers are only text, as pages forbid them.
 */
export function readSvg(text: string): SvgElement | undefined {
  const inert = text
    .replace(/<(\/?)((?:[\w-]+:)?)style\b/gi, '<$1$2inert-style')
    .replace(/(\s)(style|on\w+)(\s*=)/gi, '$1inert-$2$3')
  const document = new DOMParser().parseFromString(inert, 'image/svg+xml')
  return document.querySelector('parsererror') === null ? document.documentElement : undefined
}

/**
 * Whether drawing an SVG document takes much longer than its size tells: references that lead to references multiply what
 * is drawn, so that a few lines can keep a browser busy for hours. Those that lead back to where they come from count as
 * heavy too, as browsers follow them for a while.
 */
export function isHeavySvg(root: SvgElement): boolean {
  const byId = new Map<string, SvgElement>()
  const styled = new Map<string, string[]>()
  let own = 0
  for (const open = [root]; open.length > 0; own += 1) {
    const element = open.pop()!
    if (element.id !== '' && !byId.has(element.id)) byId.set(element.id, element)
    if (element.localName.endsWith('style')) addRules(element.textContent ?? '', styled)
    for (const child of element.children) open.push(child)
  }
  const drawn = new Map<SvgElement, number>()

  /** How many elements are drawn for one. */
  function count(element: SvgElement, depth: number): number {
    const known = drawn.get(element)
    if (known !== undefined) return known
    if (depth > maxDepth) return Infinity
    // until it is known, which is too late for a reference that leads back
    drawn.set(element, Infinity)
    let sum = 1
    for (const child of element.children) sum += count(child, depth + 1)
    for (const id of referencesOf(element, styled)) {
      const target = byId.get(id)
      if (target !== undefined) sum += count(target, depth + 1)
    }
    drawn.set(element, sum)
    return sum
  }
  return count(root, 0) - own > maxAdded
}

/** Notes which ids the rules of a style sheet name, by the tags, classes and ids they are for. */
function addRules(sheet: string, styled: Map<string, string[]>): void {
  for (const [, selectors, body] of sheet.replace(/\/\*[^]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)/g)) {
    const ids = idsIn(body!)
    if (ids.length === 0) continue
    for (const selector of selectors!.split(',')) {
      const subject = selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1)!
      // Of attributes, functions and escapes only a browser knows whom they mean: anybody.
      const tokens = /[[\]():\\]/.test(subject)
        ? ['*']
        : Array.from(subject.matchAll(/[.#]?[\w-]+|\*/g), ([token]) => token)
      for (const token of tokens) styled.set(token, [...(styled.get(token) ?? []), ...ids])
    }
  }
}

/** The ids of what an element draws besides its children. */
function referencesOf(element: SvgElement, styled: ReadonlyMap<string, string[]>): string[] {
  const tokens = ['*', element.localName, `#${element.id}`]
  const references: string[] = []
  for (const { localName, value } of element.attributes) {
    if (localName === 'class') tokens.push(...value.split(/\s+/).map((name) => `.${name}`))
    if (localName !== 'href') references.push(...idsIn(value))
    else if (element.localName !== 'a' && value.trim().startsWith('#')) references.push(value.trim().slice(1))
  }
  return [...references, ...tokens.flatMap((token) => styled.get(token) ?? [])]
}

/** The ids that `url(#…)` names in a text. */
function idsIn(text: string): string[] {
  return Array.from(withoutEscapes(text).matchAll(/url\(\s*["']?#([^"')]{1,1000})/gi), ([, id]) => id!.trim())
}

/** A text of CSS with its escapes undone: `\\70 1` is `p1`. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, letter: string) => {
    const point = Number.parseInt(code ?? '', 16)
    return code === undefined
      ? letter
      : point > 0 && point <= 0x10ffff
        ? String.fromCodePoint(point)
        : '\ufffd'
  })
}
