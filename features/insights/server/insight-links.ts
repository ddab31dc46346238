import { randomUUID } from 'node:crypto'
import type { Files } from '@headwater/files/server'
import type { ItemLink } from '@headwater/items/server'
import { linksOfPrep } from '@headwater/preps/server'
import { ContentStoreError } from '@headwater/server-kit'
import { groupsIn } from '@headwater/tile-data/core'
import { DefinitionError, parseDefinition } from '../contract/index.ts'
import { maxDefinitionBytes, readBytes, textOf as textOfBytes } from './insight-files.ts'

/** Returns the objects that the definition in a file references; empty for invalid definitions and deleted files. */
export async function linksOfFile(
  files: Pick<Files, 'contentOf' | 'readContent'>,
  fileId: string,
): Promise<ItemLink[]> {
  const file = await files.contentOf(fileId)
  if (file === undefined || file.sizeBytes > maxDefinitionBytes) return []
  try {
    return linksOfInsight(
      parseDefinition(textOfBytes(await readBytes(await files.readContent(file))), randomUUID),
    )
  } catch (error) {
    // Damaged or deleted content must not prevent the links of other files.
    if (error instanceof DefinitionError || error instanceof ContentStoreError) return []
    throw error
  }
}

/**
 * Returns the objects that the definition of an insight or template references: groups, symbols of its data preps and
 * basket, saved data preps, and files.
 */
function linksOfInsight(content: unknown): ItemLink[] {
  const groups = [...groupsIn(content)].map((target): ItemLink => ({ type: 'group', target }))
  return [...groups, ...linksIn(content)]
}

function linksIn(value: unknown): ItemLink[] {
  if (Array.isArray(value)) return value.flatMap(linksIn)
  if (!isRecord(value)) return []
  return [
    ...symbolLinks(value),
    ...fileLinks(value),
    ...sourceLinks(value),
    ...Object.values(value).flatMap(linksIn),
  ]
}

/** Links of a data prep in a definition, and of an entry of the basket. */
function symbolLinks({ dataGroupName, symbols, groupName, pattern }: Record<string, unknown>): ItemLink[] {
  if (Array.isArray(symbols))
    return linksOfPrep({ dataGroupName: textOf(dataGroupName), symbols: symbols.flatMap(entryOf) })
  return linksOfPrep({ dataGroupName: '', symbols: entryOf({ groupName, symbols, pattern }) })
}

type Entry = Parameters<typeof linksOfPrep>[0]['symbols'][number]

function entryOf(entry: unknown): Entry[] {
  if (!isRecord(entry) || !isRecord(entry.symbols)) return []
  const symbols = Object.entries(entry.symbols)
  if (!symbols.every((pair): pair is [string, string] => typeof pair[1] === 'string')) return []
  const groupName = textOf(entry.groupName)
  const named = { symbols: Object.fromEntries(symbols), pattern: entry.pattern === true }
  return [{ ...named, ...(groupName === '' ? {} : { groupName }) } as Entry]
}

function fileLinks(value: Record<string, unknown>): ItemLink[] {
  const group = textOf(value.groupName)
  const target = textOf(value.fileName)
  const byName: ItemLink[] = group === '' || target === '' ? [] : [{ type: 'file', group, target }]
  const fid = textOf(value.fid)
  return fid === '' ? byName : [...byName, { type: 'file', target: fid }]
}

/** Links of a source of rows. Older definitions contain `id` and `name` instead of `fid` and `fileName`. */
function sourceLinks({ type, value }: Record<string, unknown>): ItemLink[] {
  if (!isRecord(value)) return []
  const id = textOf(value.id)
  const name = textOf(value.name)
  const kind = textOf(type).toUpperCase()
  const group = textOf(value.groupName ?? (kind === 'FILE' ? undefined : value.outputGroup))
  if (kind !== 'FILE' && kind !== 'DATA_PREP') return []
  const target = kind === 'FILE' ? 'file' : 'data-prep'
  if (id !== '') return [{ type: target, target: id }]
  return group === '' || name === '' ? [] : [{ type: target, group, target: name }]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
