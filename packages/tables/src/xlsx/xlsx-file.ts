import { requireHeader, requireWidth, TableError, type TableRow } from '../table.ts'
import { parseDateText, parseNumberText } from '../cell-values.ts'
import { ZipTooLargeError } from '../zip/zip-records.ts'
import { zipOf } from '../zip/zip-writer.ts'

/** Limits of the XLSX format. */
const maxRows = 1_048_576
const maxColumns = 16_384
const maxTextLength = 32_767
/** Numbers have at most 15 significant digits in spreadsheets. */
const maxDigits = 15
const dayMs = 86_400_000
/** Number of 1 March 1900. Spreadsheets count earlier days differently. */
const firstDay = 61
const epoch = Date.UTC(1899, 11, 30)
const batchLength = 65_536

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const schemas = 'http://schemas.openxmlformats.org'
const relationships = `${schemas}/officeDocument/2006/relationships`
const spreadsheet = `${schemas}/spreadsheetml/2006/main`
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * The parts of the workbook other than the sheet. Style 1 is a date, style 2 a date with a time, style 3 the header.
 */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${spreadsheet}" xmlns:r="${relationships}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${spreadsheet}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" xfId="0" applyNumberFormat="1"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
}

/**
 * Yields a workbook with one sheet. Numbers and ISO dates become numbers and dates if no information is lost. All
 * other cells stay texts and never become formulas.
 * @throws TableError for a table that exceeds the limits of the format
 */
export async function* xlsxFile(rows: AsyncIterable<TableRow>): AsyncGenerator<Buffer> {
  try {
    yield* zipOf([
      ...Object.entries(parts).map(([path, text]) => ({ path, content: [declaration + text] })),
      { path: 'xl/worksheets/sheet1.xml', content: sheetXml(rows) },
    ])
  } catch (error) {
    if (error instanceof ZipTooLargeError)
      throw new TableError('The table has more than 4 GB as a workbook. Convert it to Parquet.')
    throw error
  }
}

async function* sheetXml(rows: AsyncIterable<TableRow>): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${spreadsheet}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  let header: string[] | undefined
  let xml = ''
  let count = 0
  for await (const row of rows) {
    if (header === undefined) {
      header = requireHeader(row.cells)
      if (header.length > maxColumns)
        throw new TableError(`A sheet can have at most ${maxColumns.toLocaleString('en')} columns.`)
    } else requireWidth(row, header)
    count++
    if (count > maxRows)
      throw new TableError(
        `A sheet can have at most ${maxRows.toLocaleString('en')} rows. Convert the file to Parquet.`,
      )
    const isHeader = count === 1
    xml += `<row r="${count}">${row.cells.map((cell, index) => cellXml(cell, `${columnName(index)}${count}`, row.number, isHeader)).join('')}</row>`
    if (xml.length < batchLength) continue
    yield xml
    xml = ''
  }
  if (header === undefined) throw new TableError('The file is empty.')
  yield `${xml}</sheetData></worksheet>`
}

function cellXml(text: string, reference: string, row: number, isHeader: boolean): string {
  if (text === '') return ''
  if (!isHeader) {
    const number = parseNumberText(text, maxDigits)
    if (number !== undefined) return `<c r="${reference}"><v>${number}</v></c>`
    const serial = serialOf(text)
    if (serial !== undefined)
      return `<c r="${reference}" s="${text.length > 10 ? 2 : 1}"><v>${serial}</v></c>`
  }
  if (text.length > maxTextLength)
    throw new TableError(
      `Row ${row} has a cell with ${text.length.toLocaleString('en')} characters; a workbook allows ${maxTextLength.toLocaleString('en')}.`,
    )
  return `<c r="${reference}" t="inlineStr"${isHeader ? ' s="3"' : ''}><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

/**
 * Returns the serial number of a date or a UTC time. Returns undefined for other texts, and for zones that a workbook
 * cannot store.
 */
function serialOf(text: string): number | undefined {
  const date = parseDateText(text)
  // A workbook stores times with millisecond precision.
  if (date === undefined || (date.zone !== '' && date.zone !== 'Z') || date.micros !== 0) return undefined
  const serial = (date.ms - epoch) / dayMs
  return serial >= firstDay ? serial : undefined
}

const special: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML does not allow are stored as escape codes. */
function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/_(?=x[\da-fA-F]{4}_)/g, '_x005F_')
      .replaceAll(/[&<>"]/g, (letter) => special[letter]!)
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g, (letter) => {
        const code = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
        return `_x${code}_`
      })
  )
}

const names: string[] = []

/** Returns the letters of a column by its index, from 0. */
function columnName(index: number): string {
  let name = names[index]
  if (name === undefined) {
    name = ''
    for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
      name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
    names[index] = name
  }
  return name
}
