import { bytesOf, type ByteSource } from '../src/table.ts'
import { zipOf } from '../src/zip/zip-writer.ts'

/** Returns bytes as a source. */
export function sourceOf(content: Uint8Array | string): ByteSource {
  const bytes = Buffer.from(content as Uint8Array)
  return {
    sizeBytes: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  }
}

/** Joins parts. */
export async function joined(parts: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const part of parts) chunks.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(chunks)
}

/** Returns the whole content of a source. */
export const contentOf = (source: ByteSource) => joined(bytesOf(source))

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'

/** Parts of a workbook; each is the XML inside of its root. */
export interface WorkbookParts {
  /** Rows by the name of their sheet. */
  sheets: Record<string, string>
  /** Items of the shared texts. */
  shared?: string
  /** Formats and styles. */
  styles?: string
  /** Attributes of the workbook. */
  properties?: string
}

/** Returns a workbook with the given XML. */
export function workbookOf({ sheets, shared, styles, properties = '' }: WorkbookParts): Promise<Buffer> {
  const names = Object.keys(sheets)
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const files: Record<string, string> = {
    '_rels/.rels': `<Relationships ${packaged}>${link('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><workbookPr ${properties}/><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships ${packaged}>${names.map((_, at) => link(`s${at}`, 'worksheet', `worksheets/sheet${at}.xml`)).join('')}${link('t', 'sharedStrings', 'sharedStrings.xml')}${link('f', 'styles', '/xl/styles.xml')}</Relationships>`,
    ...(shared === undefined ? {} : { 'xl/sharedStrings.xml': `<sst ${main}>${shared}</sst>` }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': `<styleSheet ${main}>${styles}</styleSheet>` }),
  }
  for (const [at, name] of names.entries())
    files[`xl/worksheets/sheet${at}.xml`] =
      `<?xml version="1.0"?><worksheet ${main}><sheetData>${sheets[name]}</sheetData></worksheet>`
  return joined(zipOf(Object.entries(files).map(([path, text]) => ({ path, content: [text] }))))
}
