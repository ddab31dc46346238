/** Maximum size of an SVG document to display, in bytes. */
export const maxSvgBytes = 10_000_000
/** Maximum number of elements that references can add. */
const maxAdded = 10_000
/** Maximum nesting depth of elements, including references. */
const maxDepth = 1000

/** The part of an SVG element that the check reads. */
export interface SvgElement {
  /** Name of the tag. */
  readonly localName: string
  /** Value of the attribute `id`. */
  readonly id: string
  /** Text in the element. */
  readonly textContent: string | null
  /** Child elements. */
  readonly children: Iterable<SvgElement>
  /** Attributes of the element. */
  readonly attributes: Iterable<{ readonly localName: string; readonly value: string }>
}

/**
 * Parses an SVG document; undefined if it is invalid. Its styles and handlers have no effect, because the content security policy
 * forbids them.
 */
export function readSvg(text: string): SvgElement | undefined {
  const inert = text
    .replace(/<(\/?)((?:[\w-]+:)?)style\b/gi, '<$1$2inert-style')
    .replace(/(\s)(style|on\w+)(\s*=)/gi, '$1inert-$2$3')
  const document = new DOMParser().parseFromString(inert, 'image/svg+xml')
  return document.querySelector('parsererror') === null ? document.documentElement : undefined
}

/**
 * Returns whether an SVG document takes much longer to draw than its size suggests. Nested references multiply the drawn
 * elements, so a few lines can block a browser for hours. Circular references also count as heavy, because browsers follow
 * them for a while.
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

  /** Returns the number of elements that are drawn for one element. */
  function count(element: SvgElement, depth: number): number {
    const known = drawn.get(element)
    if (known !== undefined) return known
    if (depth > maxDepth) return Infinity
    // replaced below; a circular reference reads this value
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

/** Collects the ids that the rules of a style sheet reference, by tag, class and id of their selectors. */
function addRules(sheet: string, styled: Map<string, string[]>): void {
  for (const [, selectors, body] of sheet.replace(/\/\*[^]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)/g)) {
    const ids = idsIn(body!)
    if (ids.length === 0) continue
    for (const selector of selectors!.split(',')) {
      const subject = selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1)!
      // Selectors with attributes, functions and escapes are assumed to match every element.
      const tokens = /[[\]():\\]/.test(subject)
        ? ['*']
        : Array.from(subject.matchAll(/[.#]?[\w-]+|\*/g), ([token]) => token)
      for (const token of tokens) styled.set(token, [...(styled.get(token) ?? []), ...ids])
    }
  }
}

/** Returns the ids of the elements that an element draws besides its children. */
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

/** Returns the ids that `url(#…)` references in a text. */
function idsIn(text: string): string[] {
  return Array.from(withoutEscapes(text).matchAll(/url\(\s*["']?#([^"')]{1,1000})/gi), ([, id]) => id!.trim())
}

/** Decodes CSS escapes: `\\70 1` is `p1`. */
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
