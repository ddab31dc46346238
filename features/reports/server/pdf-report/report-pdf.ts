import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { formatNumber } from '@headwater/contract'
import { markdownBlocks, renderLine, safeAddress } from '../tile-report/markdown-blocks.ts'
import { leftOutText, madeText, noLinkText, type WrittenReport } from '../tile-report/report-html.ts'
import { textWriter } from '../tile-report/report-text.ts'
import type { ReportChart, ReportTable, ReportTile } from '../tile-report/report-tile.ts'
import { pdfChart, type PdfChart } from './pdf-chart.ts'
import { fontPath, openFonts, page, type Fonts, type Weight } from './pdf-layout.ts'

const sizes = { title: 18, heading: 12, text: 9, cell: 7.5, small: 7.5 } as const
const lineFactor = 1.35
const cellPadding = 3
const colours = { text: '#1b1f24', quiet: '#57606a', line: '#dfe3e8', link: '#0b5cad' } as const
const contentWidth = page.width - 2 * page.margin
const bottom = page.height - page.margin - page.footer
/** Height of a heading with one line and its note. */
const headingHeight = 36
/** Space for the heading of a tile and its first lines, in points. */
const headingWithContent = 60
/** Space for the header of a table and its first row, in points. */
const headerWithRow = 40
/** Space for the header of a table that is repeated at the top of a page, in points. */
const repeatedHeader = 60
/** Maximum time of work between two pauses for other work of the server, in ms. */
const burstMs = 25

/** A PDF that is being written. */
export interface PdfReport {
  /** Its bytes. Pages are drawn as the stream is read. */
  stream: AsyncIterable<Uint8Array>
  /** Number of characters that the font lacks; complete when the stream has ended. */
  replaced: () => number
}

/** Writes a report as a PDF document: A4 pages with numbers, tables whose header repeats on each page, texts that can be selected. */
export function reportPdf(written: WrittenReport, signal: AbortSignal): PdfReport {
  const fonts = openFonts()
  return { stream: bytesOf(written, fonts, signal), replaced: fonts.replaced }
}

async function* bytesOf(
  written: WrittenReport,
  fonts: Fonts,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const writer = new PdfWriter(fonts, written.title)
  for (const part of partsOf(writer, written)) {
    if (part !== undefined) await part
    signal.throwIfAborted()
    yield* writer.takeBytes()
  }
  writer.end()
  await writer.ended
  yield* writer.takeBytes()
}

/** Draws the report step by step; each step draws a tile or a part of one. */
function* partsOf(
  writer: PdfWriter,
  { title, report, link, madeAt }: WrittenReport,
): Generator<Promise<void> | undefined> {
  writer.paragraph(title, { size: sizes.title, weight: 'bold' })
  writer.paragraph(`${report.insightName} · ${report.groupName} · created ${madeText(madeAt)}`, {
    size: sizes.small,
    colour: colours.quiet,
  })
  for (const tile of report.tiles) yield* tileParts(writer, tile)
  writer.space(10)
  if (report.leftOut > 0) writer.paragraph(leftOutText(report.leftOut), { colour: colours.quiet })
  const address = link === undefined ? undefined : safeAddress(link)
  const colour = address === undefined ? colours.quiet : colours.link
  writer.paragraph(address ?? noLinkText, { colour, link: address })
}

function* tileParts(
  writer: PdfWriter,
  { title, note, table, text, chart }: ReportTile,
): Generator<Promise<void> | undefined> {
  writer.space(14)
  // A heading is not left alone at the end of a page.
  const drawing = chart === undefined ? undefined : writer.layOutChart(chart)
  writer.need(drawing === undefined ? headingWithContent : headingHeight + drawing.height)
  writer.paragraph(title, { size: sizes.heading, weight: 'bold' })
  const caption =
    note ||
    (table === undefined
      ? ''
      : `${formatNumber(table.rows.length)} ${table.rows.length === 1 ? 'row' : 'rows'}`)
  if (caption !== '') writer.paragraph(caption, { size: sizes.small, colour: colours.quiet })
  if (drawing !== undefined) yield* writer.chart(drawing)
  if (table !== undefined) yield* tableParts(writer, table)
  if (text !== undefined) {
    for (const block of markdownBlocks(text)) {
      writer.block(block)
      yield writer.pause()
    }
  }
  yield writer.pause()
}

function* tableParts(
  writer: PdfWriter,
  { header, rows, isNumber }: ReportTable,
): Generator<Promise<void> | undefined> {
  const widths = writer.columnWidths(header, rows)
  const drawHeader = () => writer.row(header, { widths, isNumber, weight: 'bold', colour: colours.quiet })
  writer.need(headerWithRow)
  drawHeader()
  for (const row of rows) {
    writer.row(row, { widths, isNumber, weight: 'regular', colour: colours.text, onNewPage: drawHeader })
    yield writer.pause()
  }
}

interface TextStyle {
  size?: number
  weight?: Weight
  colour?: string
  indent?: number
  /** URL of the whole text. */
  link?: string | undefined
}

interface RowStyle {
  widths: readonly number[]
  isNumber: readonly boolean[]
  weight: Weight
  colour: string
  /** Draws the header on the next page. */
  onNewPage?: () => void
}

/** Draws from top to bottom, and begins pages. Finished pages are removed from memory when their bytes are read. */
class PdfWriter {
  readonly #document: PDFKit.PDFDocument
  readonly #fonts: Fonts
  readonly #chunks: Buffer[] = []
  readonly ended: Promise<void>
  #y: number = page.margin
  #pages = 0
  #burstStart = performance.now()

  constructor(fonts: Fonts, title: string) {
    this.#fonts = fonts
    this.#document = new PDFDocument({
      size: 'A4',
      // Pages begin only where the writer begins them.
      margin: 0,
      autoFirstPage: false,
      lang: 'en',
      displayTitle: true,
      info: { Title: fonts.printable(title), Producer: 'Headwater', Creator: 'Headwater' },
    })
    for (const weight of ['regular', 'bold', 'mono'] as const)
      this.#document.registerFont(weight, fontPath(weight))
    this.#document.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    this.ended = new Promise((resolve, reject) => {
      this.#document.on('end', resolve)
      this.#document.on('error', reject)
    })
    this.#newPage()
  }

  /** Returns the bytes since the last call. */
  takeBytes(): Buffer[] {
    return this.#chunks.splice(0)
  }

  end(): void {
    this.#document.end()
  }

  /** Pauses for other work of the server if the time since the last pause exceeds the maximum. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#burstStart < burstMs) return undefined
    return setImmediate().then(() => {
      this.#burstStart = performance.now()
    })
  }

  space(height: number): void {
    this.#y += height
  }

  /** Begins a page unless the current one has this height left. */
  need(height: number): void {
    if (this.#y + height > bottom) this.#newPage()
  }

  /** Draws text as wide as the page. */
  paragraph(
    text: string,
    { size = sizes.text, weight = 'regular', colour = colours.text, indent = 0, link }: TextStyle,
  ): void {
    const measure = this.#fonts.measure(weight)
    const height = size * lineFactor
    for (const line of measure.linesOf(this.#fonts.printable(text), contentWidth - indent, size)) {
      this.need(height)
      this.#line(line, { x: page.margin + indent, size, weight, colour, link })
      this.#y += height
    }
    this.#y += size * 0.35
  }

  layOutChart(chart: ReportChart): PdfChart {
    return pdfChart(chart, this.#fonts)
  }

  *chart({ height, draw }: PdfChart): Generator<Promise<void> | undefined> {
    for (const _ of draw(this.#document, page.margin, this.#y)) yield this.pause()
    this.#y += height
  }

  /** Draws a block of Markdown. */
  block({ kind, marker, lines }: ReturnType<typeof markdownBlocks>[number]): void {
    if (kind === 'code')
      return this.paragraph(lines.join('\n'), { weight: 'mono', size: sizes.cell, indent: 8 })
    const text = lines.map((line) => renderLine(line.replace(/\s+$|\\$/, ''), textWriter)).join(' ')
    if (kind === 'heading') return this.paragraph(text, { weight: 'bold', size: 10 })
    return kind === 'listItem' ? this.paragraph(`${marker} ${text}`, { indent: 8 }) : this.paragraph(text, {})
  }

  /** Returns the widths of columns: as wide as their texts, unless they must share the page. */
  columnWidths(header: readonly string[], rows: readonly (readonly string[])[]): number[] {
    const sample = [header, ...rows.slice(0, 200), ...rows.slice(-200)]
    const measure = this.#fonts.measure('bold')
    const wanted = header.map((_, at) =>
      Math.max(
        18,
        ...sample.map((row) => Math.min(200, measure.widthOf(row[at]!) * sizes.cell + 2 * cellPadding + 1)),
      ),
    )
    const total = wanted.reduce((sum, width) => sum + width, 0)
    if (total <= contentWidth) return wanted
    // Narrow columns keep their width; the others share the rest in proportion.
    const fair = contentWidth / header.length
    const narrow = wanted.filter((width) => width <= fair).reduce((sum, width) => sum + width, 0)
    const wide = total - narrow
    return wanted.map((width) => (width <= fair ? width : (width * (contentWidth - narrow)) / wide))
  }

  /** Draws a row of a table. A row that is higher than a page continues on the next one. */
  row(cells: readonly string[], style: RowStyle): void {
    const { widths, isNumber, weight, colour, onNewPage } = style
    const measure = this.#fonts.measure(weight)
    const height = sizes.cell * lineFactor
    const lines = cells.map((cell, at) =>
      measure.linesOf(this.#fonts.printable(cell), widths[at]! - 2 * cellPadding, sizes.cell),
    )
    const count = Math.max(...lines.map((each) => each.length))
    for (let from = 0; from < count;) {
      if (this.#y + height + 2 * cellPadding > bottom) {
        this.#newPage()
        onNewPage?.()
      }
      const fitting = Math.max(1, Math.floor((bottom - this.#y - 2 * cellPadding) / height))
      // A row that fits on a page is not split.
      const isSplit = count - from > fitting
      if (isSplit && from === 0 && count * height + repeatedHeader < bottom - page.margin) {
        this.#newPage()
        onNewPage?.()
        continue
      }
      this.#cells(
        lines.map((each) => each.slice(from, from + fitting)),
        { widths, isNumber, weight, colour },
      )
      this.#y += Math.min(fitting, count - from) * height + 2 * cellPadding
      from += fitting
    }
    this.#document
      .moveTo(page.margin, this.#y)
      .lineTo(page.margin + widths.reduce((sum, width) => sum + width, 0), this.#y)
      .lineWidth(0.5)
      .stroke(colours.line)
  }

  #cells(
    lines: readonly string[][],
    { widths, isNumber, weight, colour }: Omit<RowStyle, 'onNewPage'>,
  ): void {
    const measure = this.#fonts.measure(weight)
    const top = this.#y
    let x = page.margin
    for (const [at, cell] of lines.entries()) {
      this.#y = top + cellPadding
      for (const line of cell) {
        const shift =
          isNumber[at] === true ? widths[at]! - 2 * cellPadding - measure.widthOf(line) * sizes.cell : 0
        this.#line(line, { x: x + cellPadding + shift, size: sizes.cell, weight, colour })
        this.#y += sizes.cell * lineFactor
      }
      x += widths[at]!
    }
    this.#y = top
  }

  #line(
    text: string,
    {
      x,
      size,
      weight,
      colour,
      link,
    }: { x: number; size: number; weight: Weight; colour: string; link?: string | undefined },
  ): void {
    if (text === '') return
    this.#document
      .font(weight)
      .fontSize(size)
      .fillColor(colour)
      .text(text, x, this.#y, { lineBreak: false, ...(link === undefined ? {} : { link }) })
  }

  #newPage(): void {
    this.#pages++
    this.#document.addPage()
    this.#y = page.height - page.margin - sizes.small
    const number = `Page ${this.#pages}`
    const width = this.#fonts.measure('regular').widthOf(number) * sizes.small
    this.#line(number, {
      x: page.width - page.margin - width,
      size: sizes.small,
      weight: 'regular',
      colour: colours.quiet,
    })
    this.#y = page.margin
  }
}
