import { TableError } from '../table.ts'
import type { ZipSource } from '../zip/zip-source.ts'
import { dateKindOf, type DateKind } from './number-formats.ts'
import { attributesOf, XmlScanner, type XmlHandler } from './xml-scanner.ts'

/** The parts of a workbook that are needed to read its sheets. */
export interface Workbook {
  /** The sheets, in order. */
  sheets: { name: string; path: string }[]
  /** Whether days are counted from 1904. */
  is1904: boolean
  /** Meaning of numbers by style number. */
  dateKinds: (DateKind | undefined)[]
  /** Shared texts, which cells reference by number. */
  sharedTexts: string[]
}

const maxPartBytes = 64 * 1024 * 1024
const maxSharedBytes = 1024 * 1024 * 1024
/** Limits of the shared texts, which are held in memory. */
const maxSharedTexts = 3_000_000
const maxSharedCharacters = 100_000_000

/** Passes a part of a workbook through a scanner. Yields the size of each piece, in bytes. */
export async function* scanPart(
  zip: ZipSource,
  path: string,
  maxBytes: number,
  handler: XmlHandler,
): AsyncGenerator<number> {
  const scanner = new XmlScanner(handler)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Buffer) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new TableError(`The part ${path} of the workbook is not in UTF-8.`)
    }
  }
  for await (const bytes of zip.content(path, maxBytes)) {
    scanner.push(decode(bytes))
    yield bytes.length
  }
  scanner.push(decode())
  scanner.end()
  yield 0
}

/** Reads the list of sheets, styles and shared texts. */
export async function readWorkbook(zip: ZipSource): Promise<Workbook> {
  const root = [...(await readTargets(zip, '_rels/.rels', '')).values()].find(
    ({ type }) => type === 'officeDocument',
  )
  const path = root?.path ?? 'xl/workbook.xml'
  if (!zip.has(path)) throw new TableError('The file is not an XLSX workbook. Save it as XLSX.')
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const targets = await readTargets(zip, `${folder}_rels/${path.slice(folder.length)}.rels`, folder)
  const { sheets, is1904 } = await readSheets(zip, path)
  const partOf = (type: string) => [...targets.values()].find((target) => target.type === type)?.path
  const [styles, shared] = [partOf('styles'), partOf('sharedStrings')]
  return {
    sheets: sheets.flatMap(({ name, id }) => {
      const target = targets.get(id)
      // Chart sheets have no cells.
      return target?.type === 'worksheet' ? [{ name, path: target.path }] : []
    }),
    is1904,
    dateKinds: styles !== undefined && zip.has(styles) ? await readDateKinds(zip, styles) : [],
    sharedTexts: shared !== undefined && zip.has(shared) ? await readSharedTexts(zip, shared) : [],
  }
}

/** Creates a handler that receives only the beginnings of elements. */
const opening = (open: XmlHandler['open']): XmlHandler => ({ open, text: () => {}, close: () => {} })

async function scanWhole(zip: ZipSource, path: string, handler: XmlHandler, maxBytes = maxPartBytes) {
  for await (const _ of scanPart(zip, path, maxBytes, handler));
}

/** Returns the parts that a part references, by relationship id. */
async function readTargets(zip: ZipSource, path: string, folder: string) {
  const targets = new Map<string, { type: string; path: string }>()
  if (!zip.has(path)) return targets
  await scanWhole(
    zip,
    path,
    opening((name, text) => {
      if (name !== 'Relationship') return
      const attributes = attributesOf(text)
      const target = attributes.get('Target') ?? ''
      const type = attributes.get('Type')?.split('/').at(-1) ?? ''
      if (attributes.get('TargetMode') === 'External') return
      const partPath = target.startsWith('/') ? target.slice(1) : `${folder}${target.replace(/^\.\//, '')}`
      targets.set(attributes.get('Id') ?? '', { type, path: partPath })
    }),
  )
  return targets
}

async function readSheets(zip: ZipSource, path: string) {
  const sheets: { name: string; id: string }[] = []
  let is1904 = false
  await scanWhole(
    zip,
    path,
    opening((name, text) => {
      const attributes = attributesOf(text)
      if (name === 'sheet')
        sheets.push({ name: attributes.get('name') ?? '', id: attributes.get('id') ?? '' })
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.get('date1904') ?? '')
    }),
  )
  return { sheets, is1904 }
}

async function readDateKinds(zip: ZipSource, path: string): Promise<(DateKind | undefined)[]> {
  const codes = new Map<number, string>()
  const formats: number[] = []
  let isCell = false
  await scanWhole(zip, path, {
    open(name, text) {
      if (name === 'cellXfs') isCell = true
      if (name === 'numFmt') {
        const attributes = attributesOf(text)
        codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '')
      }
      if (name === 'xf' && isCell) formats.push(Number(attributesOf(text).get('numFmtId') ?? 0))
    },
    text: () => {},
    close(name) {
      if (name === 'cellXfs') isCell = false
    },
  })
  return formats.map((id) => dateKindOf(id, codes.get(id)))
}

async function readSharedTexts(zip: ZipSource, path: string): Promise<string[]> {
  const texts: string[] = []
  const text = new CellText()
  let characters = 0
  await scanWhole(
    zip,
    path,
    {
      open: (name) => text.open(name),
      text: (part) => text.add(part),
      close(name) {
        text.close(name)
        if (name !== 'si') return
        const value = text.take()
        characters += value.length
        texts.push(value)
        if (texts.length > maxSharedTexts || characters > maxSharedCharacters)
          throw new TableError(
            `The workbook has more than ${maxSharedTexts.toLocaleString('en')} different texts, or ${maxSharedCharacters.toLocaleString('en')} characters of them. Save it as CSV.`,
          )
      },
    },
    maxSharedBytes,
  )
  return texts
}

/** Maximum length of the text of a cell, in characters. */
const maxCellLength = 1_000_000

/** Collects the text of a cell from its rich-text runs, without phonetic hints. */
export class CellText {
  #text = ''
  #isText = false
  #isHint = false

  open(name: string): void {
    if (name === 't') this.#isText = true
    if (name === 'rPh') this.#isHint = true
  }

  add(part: string): void {
    if (!this.#isText || this.#isHint) return
    this.#text += part
    if (this.#text.length > maxCellLength)
      throw new TableError(`A cell has more than ${maxCellLength.toLocaleString('en')} characters.`)
  }

  close(name: string): void {
    if (name === 't') this.#isText = false
    if (name === 'rPh') this.#isHint = false
  }

  /** Returns the text and starts the next one. */
  take(): string {
    const text = this.#text
    this.#text = ''
    if (!text.includes('_x')) return text
    // Characters that XML does not allow are stored as escape codes.
    return text.replaceAll(/_x([\da-fA-F]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
}
