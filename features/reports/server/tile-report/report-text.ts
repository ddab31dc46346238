import { markdownBlocks, safeAddress, writtenLine, type MarkdownWriter } from './markdown-blocks.ts'
import { leftOutText, madeText, noLinkText, type WrittenReport } from './report-html.ts'
import type { ReportTable, ReportTile } from './report-tile.ts'

/** A report as plain text, for mail clients that show no HTML: the same rows and words. */
export function reportText({ title, report, link, madeAt }: WrittenReport): string {
  const { insightName, groupName, tiles, leftOut } = report
  const address = link === undefined ? undefined : safeAddress(link)
  const parts = [
    [line(title), `${line(insightName)} · ${line(groupName)} · made ${madeText(madeAt)}`].join('\n'),
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
    ...(text === undefined ? [] : [markdownWords(text)]),
  ].join('\n')
}

function tableLines({ header, rows }: ReportTable): string[] {
  return [header, ...rows].map((row) => row.map(line).join(' | '))
}

function markdownWords(text: string): string {
  return markdownBlocks(text)
    .map(({ kind, sign, lines }) => {
      const words = kind === 'code' ? lines.map(line) : lines.map((each) => writtenLine(each, textWriter))
      return `${sign === '' ? '' : `${sign} `}${words.join('\n')}`
    })
    .join('\n')
}

const textWriter: MarkdownWriter = {
  words: line,
  strong: (inner) => inner,
  emphasis: (inner) => inner,
  code: line,
  link: (inner, address) => (inner === address ? inner : `${inner} (${address})`),
}

/** A text on one line, without characters that would turn around what stands beside it. */
function line(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}
