import { isUuid } from '@headwater/contract'
import { formatUtcSeconds, parseSearchQuery } from '@headwater/server-kit'
import { fileErrors } from '../contract/index.ts'

/** Text to compare with, exactly or as a pattern in which `*` stands for any text. */
export interface TextMatch {
  /** The text; `*` is a wildcard. */
  text: string
  /** Whether the text contains a wildcard. */
  hasWildcard: boolean
}

/** A search for files. A file must meet all conditions. */
export interface FileQuery {
  /** Conditions on the name. */
  names: TextMatch[]
  /** Types in upper case, of which one must match; undefined for all types. */
  types: TextMatch[] | undefined
  /** Conditions on the name of the group. */
  groupNames: TextMatch[]
  /** Ids of files. */
  ids: TextMatch[]
  /** Conditions on metadata. */
  fields: { name: string; match: TextMatch }[]
  /**
   * Free text: matches anywhere in the name or a metadata value; with wildcards, it must match one of them completely.
   */
  freeText: TextMatch | undefined
  /** Start of the arrival time, included. */
  arrivedFrom: Date | undefined
  /** End of the arrival time, excluded. */
  arrivedBefore: Date | undefined
  /** Only newest versions, or only older ones. */
  latest: boolean | undefined
  /** Extensions without the dot, of which one must match; undefined for all. */
  extensions?: string[] | undefined
}

const strayKeys =
  /^(name|fileName|type|fileType|groupName(\.keyword)?|uuid|fid|arrivalTime|(fields|metadata)\..+)$/i

/**
 * Reads the query of a file search.
 * @param text the parameter `query`: pairs joined by & or free text, or both
 * @param stray additional parameters of the URL. Parameters that are keys of the query language become part of the query,
 * because many clients do not encode it
 * @throws queryNotValid
 */
export function parseFileQuery(text: string, stray: Record<string, unknown> = {}): FileQuery {
  const { pairs, freeText } = parseSearchQuery(text)
  const query: FileQuery = {
    names: [],
    types: undefined,
    groupNames: [],
    ids: [],
    fields: [],
    freeText: undefined,
    arrivedFrom: undefined,
    arrivedBefore: undefined,
    latest: undefined,
  }
  const free = freeText === '' ? [] : [freeText]
  for (const { key, value } of pairs) if (!addPair(query, key, value)) free.push(`${key}=${value}`)
  for (const [key, value] of Object.entries(stray)) {
    if (!strayKeys.test(key)) continue
    for (const item of Array.isArray(value) ? value : [value])
      if (typeof item === 'string') addPair(query, key, item)
  }
  addFreeText(query, free.join('&'))
  return query
}

/** Adds one pair; returns false for an unknown key. */
function addPair(query: FileQuery, key: string, value: string): boolean {
  const [, metadataName] = /^(?:fields|metadata)\.(.+)$/i.exec(key) ?? []
  if (metadataName !== undefined) {
    query.fields.push({ name: metadataName, match: matchOf(value) })
    return true
  }
  switch (key.toLowerCase()) {
    case 'name':
    case 'filename':
      query.names.push(matchOf(value.normalize('NFC')))
      return true
    case 'type':
    case 'filetype':
      query.types = value.split(',').map((type) => matchOf(type.trim().toUpperCase()))
      return true
    case 'groupname':
    case 'groupname.keyword':
      query.groupNames.push(matchOf(value))
      return true
    case 'uuid':
    case 'fid':
      query.ids.push(matchOf(value.trim().toLowerCase()))
      return true
    case 'arrivaltime':
      addArrival(query, value)
      return true
    case 'latest':
      query.latest = !['false', '0', 'no'].includes(value.trim().toLowerCase())
      return true
    default:
      return false
  }
}

function addFreeText(query: FileQuery, text: string): void {
  if (text === '' || /^\*+$/.test(text)) return
  if (isUuid(text)) query.ids.push(matchOf(text.toLowerCase()))
  else query.freeText = matchOf(text.normalize('NFC'))
}

function matchOf(text: string): TextMatch {
  return { text, hasWildcard: text.includes('*') }
}

/**
 * Adds an arrival time: `2026`, `2026-01`, `2026-01-31`, `2026-01-31T12`, …, or a range of two with `..` between them. One
 * end can be empty.
 */
function addArrival(query: FileQuery, value: string): void {
  const parts = value.trim().split('..')
  if (parts.length > 2 || parts.every((part) => part === '')) throw arrivalNotValid(value)
  const [first = '', last = first] = parts
  if (first !== '') query.arrivedFrom = periodOf(first, value).start
  if (last !== '') query.arrivedBefore = periodOf(last, value).end
}

const periodPattern = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?)?\*?$/

function periodOf(text: string, whole: string): { start: Date; end: Date } {
  const numbers = periodPattern
    .exec(text.trim())
    ?.slice(1)
    .filter((part) => part !== undefined)
    .map(Number)
  if (numbers === undefined) throw arrivalNotValid(whole)
  const start = timeOf(numbers)
  // Date accepts the 30th of February as the 2nd of March.
  if (timeParts(start).some((part, index) => index < numbers.length && part !== numbers[index]))
    throw arrivalNotValid(whole)
  return { start, end: timeOf(numbers.with(-1, (numbers.at(-1) as number) + 1)) }
}

function timeOf([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: number[]): Date {
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second))
}

function timeParts(time: Date): number[] {
  return formatUtcSeconds(time).split(/[-T:]/).map(Number)
}

function arrivalNotValid(value: string): Error {
  return fileErrors.queryNotValid({
    reason: `arrivalTime “${value.slice(0, 100)}” is neither a date such as 2026-01-31, nor a range such as 2026-01..2026-03.`,
  })
}
