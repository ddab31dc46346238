import { beginningOf } from '@headwater/contract'
import { maxTileTitle, type Tile } from './tile.ts'

const notAllowed = /[^\p{L}\p{M}\p{N}()_ -]/gu
/** Characters reserved for a number in parentheses at the end of a title. */
const numberCharacters = 8

/** Removes the characters that titles do not allow. Titles contain letters, digits, parentheses, hyphens, underscores and spaces. */
export function cleanTitle(title: string): string {
  return title.replace(notAllowed, '')
}

/** Replaces the characters that titles do not allow with spaces: `Price ($) in EUR/MWh` becomes `Price in EUR MWh`. */
export function readableTitle(text: string): string {
  return text
    .replace(notAllowed, ' ')
    .replace(/\( *\)/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/** Returns the heading of a tile, or its title when the heading is empty. */
export function headingOf({ heading, title }: Pick<Tile, 'heading' | 'title'>): string {
  if (typeof heading === 'string' && heading.trim() !== '') return heading.trim()
  return title === '' ? 'Untitled' : title
}

/** Returns the distinct characters of a string that titles do not allow. */
export function charactersLeftOut(text: string): string[] {
  return [...new Set(text.match(notAllowed) ?? [])]
}

/** Returns the title of a new tile: the first of `Table`, `Table 2`, `Table 3`, … that no other tile has. */
export function newTitle(kind: string, others: Iterable<string>): string {
  const taken: ReadonlySet<string> = others instanceof Set ? others : new Set(others)
  let title = kind
  for (let count = 2; taken.has(title); count += 1) title = `${kind} ${count}`
  return title
}

/**
 * Appends `(1)` to a title until it differs from all others: the third copy of A is `A(1)(1)`. If that exceeds the
 * maximum length, a number distinguishes the copies: `A(2)`. A title that is too long is truncated.
 */
export function uniqueTitle(title: string, others: Iterable<string>): string {
  const taken: ReadonlySet<string> = others instanceof Set ? others : new Set(others)
  let unique = beginningOf(title, maxTileTitle)
  while (taken.has(unique) && unique.length + '(1)'.length <= maxTileTitle) unique += '(1)'
  for (let count = 2; taken.has(unique); count += 1)
    unique = `${beginningOf(title, maxTileTitle - numberCharacters)}(${count})`
  return unique
}
