import { formatNumber } from '@headwater/contract'
import { formatUtcSeconds } from '@headwater/server-kit'
import { markdownBlocks, safeAddress, renderLine, type MarkdownWriter } from './markdown-blocks.ts'
import type { ReportTable, ReportTile, TileReport } from './report-tile.ts'

/** Content of a report document. */
export interface WrittenReport {
  /** Title above the tiles. */
  title: string
  /** Content of the insight. */
  report: TileReport
  /** URL of the insight, http or https. Default: no link. */
  link?: string | undefined
  /** Time at which the data was read. */
  madeAt: Date
}

const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background: #f4f5f7; color: #1b1f24; font: 14px/1.5 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; -webkit-text-size-adjust: 100%; }
.page { width: 100%; border-collapse: collapse; }
.page > tbody > tr > td { padding: 16px 8px; }
.sheet { width: 100%; max-width: 720px; margin: 0 auto; border-collapse: collapse; table-layout: fixed; background: #ffffff; border: 1px solid #dfe3e8; }
.sheet > tbody > tr > td { padding: 16px 20px; border-top: 1px solid #dfe3e8; overflow-wrap: anywhere; }
.sheet > tbody > tr:first-child > td { border-top: 0; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; }
h2 { margin: 0 0 8px; font-size: 15px; line-height: 1.4; }
h3 { margin: 12px 0 4px; font-size: 14px; line-height: 1.4; }
p { margin: 0 0 8px; }
pre { margin: 0 0 8px; white-space: pre-wrap; font-family: Consolas, Menlo, monospace; font-size: 13px; }
.quiet { color: #57606a; font-size: 13px; margin: 0; }
.whole { white-space: nowrap; }
.entry { margin: 0 0 4px; padding-left: 16px; }
.scroll { overflow-x: auto; }
.rows { width: 100%; border-collapse: collapse; font-size: 13px; }
.rows caption { padding: 0 0 6px; text-align: left; color: #57606a; font-size: 13px; }
.rows th, .rows td { padding: 5px 8px; border-bottom: 1px solid #dfe3e8; text-align: start; vertical-align: top; overflow-wrap: break-word; }
.rows th { font-weight: 600; color: #57606a; }
.rows .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.rows .short { white-space: nowrap; }
a { color: #0b5cad; }
@media (max-width: 480px) {
  .page > tbody > tr > td { padding: 0; }
  .sheet { border-left: 0; border-right: 0; }
  .sheet > tbody > tr > td { padding: 12px; }
  .rows th, .rows td { padding: 5px 6px; }
}
@media (prefers-color-scheme: dark) {
  body { background: #0f1216; color: #e6e9ed; }
  .sheet { background: #171b21; border-color: #2d343d; }
  .sheet > tbody > tr > td, .rows th, .rows td { border-color: #2d343d; }
  .quiet, .rows caption, .rows th { color: #a3adb8; }
  a { color: #7db8f2; }
}
`

/**
 * Writes a report as an HTML document for mail clients: tables and one style, without scripts and external resources. Texts of users
 * are escaped.
 */
export function reportHtml({ title, report, link, madeAt }: WrittenReport): string {
  const { insightName, groupName, tiles, leftOut } = report
  const address = link === undefined ? undefined : safeAddress(link)
  const head = `<h1 dir="auto">${escaped(title)}</h1>
<p class="quiet"><bdi>${escaped(insightName)}</bdi> · <bdi>${escaped(groupName)}</bdi> · <span class="whole">created ${madeText(madeAt)}</span></p>${chartNote()}`
  const foot = [
    leftOut === 0 ? '' : `<p class="quiet">${leftOutText(leftOut)}</p>`,
    address === undefined
      ? `<p class="quiet">${noLinkText}</p>`
      : `<p class="quiet"><a href="${escaped(address)}">Open the insight</a></p>`,
  ].filter((part) => part !== '')
  const parts = [head, ...tiles.map(tileHtml), foot.join('\n')]

  /** States once that charts are tables in the report, because mail clients cannot draw charts. */
  function chartNote(): string {
    if (!hasCharts(report)) return ''
    const name = address === undefined ? 'insight' : `<a href="${escaped(address)}">insight</a>`
    return `\n<p class="quiet">${chartNoteBefore} ${name}.</p>`
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<table class="page" role="presentation"><tbody><tr><td>
<table class="sheet" role="presentation"><tbody>
${parts.map((part) => `<tr><td>\n${part}\n</td></tr>`).join('\n')}
</tbody></table>
</td></tr></tbody></table>
</body>
</html>
`
}

/** Returns a sentence about the number of omitted tiles. */
export function leftOutText(leftOut: number): string {
  return leftOut === 1
    ? 'One more tile is not part of this report.'
    : `${formatNumber(leftOut)} more tiles are not part of this report.`
}

/** Beginning of the sentence about charts; “insight.” follows. */
export const chartNoteBefore = 'Charts appear as tables in this report. To see the charts, open the'

/** Returns whether a report has rows of charts. */
export function hasCharts({ tiles }: TileReport): boolean {
  return tiles.some(({ kind, table }) => kind === 'Chart' && table !== undefined)
}

/** Note in a report without a link. */
export const noLinkText = 'To see current data, log in and open the insight named above.'

/** Formats the time of a report: `2026-08-18 12:31:41 UTC`. */
export function madeText(madeAt: Date): string {
  return `${formatUtcSeconds(madeAt).replace('T', ' ')} UTC`
}

function tileHtml({ title, note, table, text }: ReportTile): string {
  const parts = [`<h2 dir="auto">${escaped(title)}</h2>`]
  if (table !== undefined) parts.push(tableHtml(table, note))
  else if (note !== '') parts.push(`<p class="quiet" dir="auto">${escaped(note)}</p>`)
  if (text !== undefined) parts.push(markdownHtml(text))
  return parts.join('\n')
}

function tableHtml({ header, rows, isNumber }: ReportTable, note: string): string {
  const caption = note === '' ? (rows.length === 1 ? '1 row' : `${rows.length} rows`) : note
  const isShort = header.map((_, at) => rows.every((row) => row[at]!.length <= shortCell))
  const kindOf = (at: number) =>
    isNumber[at] === true ? ' class="number"' : isShort[at] === true ? ' class="short"' : ''
  const head = header.map((name, at) => `<th scope="col" dir="auto"${headKind(at)}>${escaped(name)}</th>`)
  const body = rows.map(
    (row) =>
      `<tr>${row.map((cell, at) => `<td dir="auto"${kindOf(at)}>${escaped(cell)}</td>`).join('')}</tr>`,
  )
  return `<div class="scroll"><table class="rows">
<caption dir="auto">${escaped(caption)}</caption>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>`

  function headKind(at: number): string {
    return isNumber[at] === true ? ' style="text-align: right"' : ''
  }
}

/** Cells with at most this many characters do not wrap. */
const shortCell = 24

function markdownHtml(text: string): string {
  return markdownBlocks(text)
    .map(({ kind, marker, lines }) => {
      if (kind === 'code') return `<pre dir="auto">${escaped(lines.join('\n'))}</pre>`
      const rendered = lines.map((line, at) => lineHtml(line, at === lines.length - 1)).join('\n')
      if (kind === 'heading') return `<h3 dir="auto">${rendered}</h3>`
      return kind === 'listItem'
        ? `<p class="entry" dir="auto">${escaped(marker)} ${rendered}</p>`
        : `<p dir="auto">${rendered}</p>`
    })
    .join('\n')
}

/** Lines run on unless two spaces or a backslash end them, or they are rows of a table of bars. */
function lineHtml(line: string, isLast: boolean): string {
  const isBroken = / {2}$|\\$|^\s*\|/.test(line)
  const written = renderLine(line.replace(/\s+$|\\$/, ''), htmlWriter)
  return isBroken && !isLast ? `${written}<br>` : written
}

const htmlWriter: MarkdownWriter = {
  plain: escaped,
  strong: (inner) => `<strong>${inner}</strong>`,
  emphasis: (inner) => `<em>${inner}</em>`,
  code: (text) => `<code>${escaped(text)}</code>`,
  link: (inner, address) => `<a href="${escaped(address)}" rel="noopener noreferrer">${inner}</a>`,
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML content and attributes and drops control characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (sign) => entities[sign]!)
    .replace(/[^\P{Cc}\t\n\r]/gu, '')
}
