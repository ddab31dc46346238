import { Readable } from 'node:stream'
import { formatFileSize, parseJson } from '@headwater/contract'
import { fileName as fileNameShape } from '@headwater/files/contract'
import type { InsightAccess } from '@headwater/insights/server'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { parseObjectValue } from '@headwater/tasks/core'
import {
  failed,
  input,
  libraryKind,
  output,
  storeContent,
  storedOutcome,
  type LibraryFiles,
  type TaskKind,
} from '@headwater/tasks/server'
import { rangeInText } from '@headwater/tile-data/core'
import { z } from 'zod'
import type { InsightLink } from '../export-tasks.ts'
import { pdfLimits, type TileReport } from '../tile-report/report-tile.ts'
import type { TileReports } from '../tile-report/tile-reports.ts'
import { reportPdf } from './report-pdf.ts'

const names = {
  insight: 'Insight',
  title: 'Title',
  range: 'Range',
  parameters: 'Parameters',
  group: 'Group',
  fileName: 'File name',
} as const

const parameterValues = z.record(z.string(), z.record(z.string(), z.string()))

/** Creates the kind of task that writes an insight as a PDF file. */
export function createPdfReport({
  reports,
  insightAccess,
  files,
  clock,
  linkTo,
}: {
  reports: TileReports
  insightAccess: Pick<InsightAccess, 'namesOf'>
  files: LibraryFiles
  clock: { now(): Date }
  /** Returns the link to the insight of a report. */
  linkTo: InsightLink
}): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { principal, inputs, signal } = work
    const problem = problemOf(inputs)
    if (problem !== undefined) return failed(problem)
    const id = parseObjectValue(inputs[names.insight] ?? '')?.id ?? ''
    const insight = await insightAccess.namesOf(principal, id)
    const range = inputs[names.range] || undefined
    const parameters = parameterValues.parse(parseJson(inputs[names.parameters] || '{}'))
    const report = await reports.read(principal, {
      ...insight,
      choices: { parameters, range },
      limits: pdfLimits,
      signal,
    })
    const title = inputs[names.title] || report.title
    const written = { title, report, madeAt: clock.now(), ...linkTo(report) }
    const { stream, replaced } = reportPdf(written, signal)
    const groupName = inputs[names.group] ?? ''
    const fileName = inputs[names.fileName] || `${insight.insightName}.pdf`
    const target = { groupName, fileName, fileType: 'SOURCE' }
    const stored = await storeContent(files, work, target, Readable.from(stream, { objectMode: false }))
    const outcome = storedOutcome(
      stored,
      `Stored ${fileName} (${formatFileSize(stored.size)}) in ${groupName}.`,
    )
    const missing = missingNotes(report, replaced())
    return missing.length === 0 || outcome.status !== 'INFO'
      ? outcome
      : { ...outcome, status: 'WARN', message: [outcome.message, ...missing].join('\n') }
  }

  return {
    ...libraryKind,
    definitionId: 'pdf-report',
    definitionName: 'pdf-report',
    readableName: 'Create PDF report',
    category: 'Output',
    description: 'Writes an insight as a PDF file: its texts, tables, statistics and charts.',
    memory: 512,
    timeout: 900,
    params: [
      input(names.insight, 'INSIGHT', 'The insight.'),
      input(names.title, 'TEXT', 'Title of the document. Default: the name of the insight.', {
        optional: true,
      }),
      input(
        names.range,
        'TEXT',
        'Range of the page, such as LAST 30 DAYS, 2026-01-01..2026-01-31 or ALL. Default: the range of each tile.',
        { optional: true },
      ),
      input(
        names.parameters,
        'JSON',
        'Values of parameters by the id of their set, such as {"set": {"Stock": "BRENT"}}. Default: the initial values.',
        { optional: true },
      ),
      input(names.group, 'GROUP', 'Group for the file.'),
      input(names.fileName, 'TEXT', 'Name of the file, ending in .pdf. Default: the name of the insight.', {
        optional: true,
      }),
      output('File', 'FILE', 'The PDF file.'),
    ],
    repeatable: true,
    problemOf,
    run,
  }
}

const pdfName = fileNameShape.refine((name) => /\.pdf$/i.test(name), 'The name of the file must end in .pdf.')

function problemOf(inputs: Readonly<Record<string, string>>): string | undefined {
  const {
    [names.range]: range = '',
    [names.parameters]: parameters = '',
    [names.fileName]: fileName = '',
  } = inputs
  if (range !== '' && rangeInText(range) === undefined)
    return `“${range.slice(0, 40)}” is not a range. Enter one such as LAST 30 DAYS, 2026-01-01..2026-01-31 or ALL.`
  if (parameters !== '' && !parameterValues.safeParse(parseJson(parameters)).success)
    return 'The parameters must be an object of the form {"set": {"field": "value"}}.'
  return fileName === '' ? undefined : pdfName.safeParse(fileName).error?.issues[0]?.message
}

/** Returns sentences about the content that the document omits. */
function missingNotes({ tiles, leftOut }: TileReport, replaced: number): string[] {
  const missing = tiles.filter(({ isOmitted }) => isOmitted === true)
  return [
    ...missing.map(({ title, note }) => `“${title}” is not in the PDF: ${note}`),
    leftOut === 0 ? '' : `${leftOut} more tiles are not in the PDF.`,
    replaced === 0
      ? ''
      : `${replaced.toLocaleString('en')} characters are missing from the font and appear as □.`,
  ].filter((text) => text !== '')
}
