import { markdownBlocks, safeAddress, renderLine, type MarkdownWriter } from './markdown-blocks.ts'
import {
  chartNoteBefore,
  hasCharts,
  leftOutText,
  madeText,
  noLinkText,
  type WrittenReport,
} from './report-html.ts'
import type { ReportTable, ReportTile } from './report-tile.ts'

/** Writes a report as plain text with the same content as the HTML, for mail clients without HTML. */
export function reportText({ title, report, link, madeAt }: WrittenReport): string {
  const { insightName, groupName, tiles, leftOut } = report
  const address = link === undefined ? undefined : safeAddress(link)
  const parts = [
    [
      line(title),
      `${line(insightName)} · ${line(groupName)} · created ${madeText(madeAt)}`,
      ...(hasCharts(report)
        ? [`${chartNoteBefore} insight${address === undefined ? '' : `: ${address}`}`]
        : []),
    ].join('\n'),
    ...tiles.map(tileText),
    leftOut === 0 ? '' : leftOutText(leftOut),
    address === undefined ? noLinkText : `Open the insight: ${address}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function tileText({ title, note, table, text }: ReportTile): string {
  const heading = line(title)
  return [
    heading,
    '-'.repeat(Math.min(60, Math.max(3, heading.length))),
    ...(note === '' ? [] : [line(note)]),
    ...(table === undefined ? [] : tableLines(table)),
    ...(text === undefined ? [] : [markdownText(text)]),
  ].join('\n')
}

function tableLines({ header, rows }: ReportTable): string[] {
  return [header, ...rows].map((row) => row.map(line).join(' | '))
}

function markdownText(text: string): string {
  return markdownBlocks(text)
    .map(({ kind, marker, lines }) => {
      const rendered = kind === 'code' ? lines.map(line) : lines.map((each) => renderLine(each, textWriter))
      return `${marker === '' ? '' : `${marker} `}${rendered.join('\n')}`
    })
    .join('\n')
}

/** Renders Markdown as plain text. */
export const textWriter: MarkdownWriter = {
  plain: line,
  strong: (inner) => inner,
  emphasis: (inner) => inner,
  code: line,
  link: (inner, address) => (inner === address ? inner : `${inner} (${address})`),
}

/** Returns text on one line, without characters that change the direction of adjacent text. */
function line(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}
