import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as fontkit from 'fontkit'

/** Size of A4 pages and their margins, in points. */
export const page = { width: 595.28, height: 841.89, margin: 42, footer: 20 } as const

/** Weights of the font. */
export type Weight = 'regular' | 'bold' | 'mono'

const fileNames: Readonly<Record<Weight, string>> = {
  regular: 'DejaVuSans.ttf',
  bold: 'DejaVuSans-Bold.ttf',
  mono: 'DejaVuSansMono.ttf',
}
/** Character that replaces those that the font does not contain. */
const replacement = '□'

/** Returns the path of the file of a font. */
export function fontPath(weight: Weight): string {
  return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${fileNames[weight]}`)
}

/** Measures texts in one weight, and breaks them into lines. */
export interface TextMeasure {
  /** Returns the width of text at size 1. */
  widthOf(text: string): number
  /** Breaks text into lines of at most this width; longer words are split. */
  linesOf(text: string, width: number, size: number): string[]
}

/** Fonts of a document, and the number of characters that they lack. */
export interface Fonts {
  measure: (weight: Weight) => TextMeasure
  /** Number of characters that have been replaced so far. */
  replaced: () => number
  /** Removes control characters, and replaces characters that the fonts lack. */
  printable: (text: string) => string
}

/** Opens the fonts of a document. */
export function openFonts(): Fonts {
  const fonts = new Map<Weight, TextMeasure>()
  const regular = openFont('regular')
  let replaced = 0

  function openFont(weight: Weight): fontkit.Font {
    return fontkit.create(readFileSync(fontPath(weight))) as fontkit.Font
  }

  return {
    measure(weight) {
      const measure = fonts.get(weight) ?? createMeasure(weight === 'regular' ? regular : openFont(weight))
      fonts.set(weight, measure)
      return measure
    },
    replaced: () => replaced,
    printable(text) {
      let result = ''
      for (const character of text.toWellFormed().replaceAll('\t', ' ')) {
        if (/[\p{Cc}\p{Cf}]/u.test(character) && character !== '\n') continue
        const isKnown = character === '\n' || regular.hasGlyphForCodePoint(character.codePointAt(0)!)
        if (!isKnown) replaced++
        result += isKnown ? character : replacement
      }
      return result
    },
  }
}

function createMeasure(font: fontkit.Font): TextMeasure {
  const widths = new Map<string, number>()

  function widthOf(text: string): number {
    let sum = 0
    for (const character of text) {
      let width = widths.get(character)
      if (width === undefined) {
        width = font.glyphForCodePoint(character.codePointAt(0)!).advanceWidth / font.unitsPerEm
        widths.set(character, width)
      }
      sum += width
    }
    return sum
  }

  return {
    widthOf,
    linesOf(text, width, size) {
      const most = width / size
      return text.split('\n').flatMap((line) => wrapped(line, most))
    },
  }

  function wrapped(line: string, most: number): string[] {
    const lines: string[] = []
    let current = ''
    let used = 0
    for (const part of line.match(/\s+|[^\s]+/g) ?? ['']) {
      const width = widthOf(part)
      if (used + width <= most) {
        current += part
        used += width
        continue
      }
      if (current.trim() !== '') lines.push(current.trimEnd())
      current = ''
      used = 0
      if (part.trim() === '') continue
      for (const character of part) {
        const more = widthOf(character)
        if (used + more > most && current !== '') {
          lines.push(current)
          current = ''
          used = 0
        }
        current += character
        used += more
      }
    }
    lines.push(current.trimEnd())
    return lines
  }
}
