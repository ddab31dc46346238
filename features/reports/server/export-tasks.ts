import { z } from 'zod'
import { fileName as fileNameShape } from '@headwater/files/contract'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { parseObjectValue } from '@headwater/tasks/core'
import type { TaskKind } from '@headwater/tasks/server'
import { exporterTasks, insightIdInput } from '../contract/index.ts'
import type { InsightAccess } from '@headwater/insights/server'
import type { InsightFiles } from '@headwater/insights/server'
import { reportHtml } from './tile-report/report-html.ts'
import { reportText } from './tile-report/report-text.ts'
import type { TileReport } from './tile-report/report-tile.ts'
import type { TileReports } from './tile-report/tile-reports.ts'

const input = { type: 'INPUT', valueType: 'TEXT', value: '', defaultValue: '', dynamic: false } as const
const output = { ...input, type: 'OUTPUT', optional: true } as const
/** Without a chosen insight, its group and file identify it. */
const byName = { paramName: insightIdInput, operator: 'is null', value: '' }
const common = {
  category: 'Output',
  imageUrl: null,
  cpu: 1,
  memory: 256,
  timeout: 300,
  openParams: false,
  repeatable: true,
  readsReferences: false,
} as const

/** Creates the kind of task that reads the content of the tiles of an insight. */
export function createTileDownloader({
  reports,
  insightAccess,
}: {
  reports: TileReports
  insightAccess: Pick<InsightAccess, 'namesOf'>
}): TaskKind {
  async function run({ principal, inputs, signal }: StepWork): Promise<StepOutcome> {
    const { [insightIdInput]: insight = '', groupName = '', fileName = '' } = inputs
    const id = parseObjectValue(insight)?.id ?? ''
    const names =
      id === ''
        ? { groupName, insightName: fileName.replace(/\.json$/i, '') }
        : await insightAccess.namesOf(principal, id)
    const report = await reports.read(principal, { ...names, signal })
    const count = report.tiles.length
    return {
      status: 'INFO',
      message: count === 1 ? 'One tile was read.' : `${count} tiles were read.`,
      outputs: { tiles: JSON.stringify(report) },
    }
  }

  return {
    ...common,
    definitionId: exporterTasks.download,
    definitionName: exporterTasks.download,
    readableName: 'Read tiles',
    description: 'Reads the content of the tiles of an insight, with the initial values of its parameters.',
    params: [
      {
        ...input,
        name: insightIdInput,
        valueType: 'INSIGHT',
        optional: true,
        description: 'Insight to read. Renaming it does not affect the task.',
      },
      {
        ...input,
        name: 'groupName',
        valueType: 'GROUP',
        optional: true,
        description: 'Group of the insight, if no insight is chosen.',
        condition: byName,
      },
      {
        ...input,
        name: 'fileName',
        optional: true,
        description: 'File name of the insight, if no insight is chosen: its name followed by “.json”.',
        condition: byName,
      },
      { ...output, name: 'tiles', description: 'Content of the tiles, as JSON.' },
    ],
    run,
  }
}

/** Returns the link to the insight of a report; nothing if the URL of the server is unknown. */
export type InsightLink = (report: Pick<TileReport, 'groupName' | 'insightName'>) => { link?: string }

/** Creates the function for links. */
export function createInsightLink(publicUrl: string | undefined): InsightLink {
  return ({ groupName, insightName }) => {
    if (publicUrl === undefined) return {}
    const path = [groupName, insightName].map(encodeURIComponent).join('/')
    return { link: new URL(`/Insight/${path}`, publicUrl).href }
  }
}

const documentName = fileNameShape.refine(
  (name) => /\.html$/i.test(name),
  'The name of the file must end in .html.',
)

/** Checks the name of the file before the task runs. */
function problemOf({ outputFile }: Readonly<Record<string, string>>): string | undefined {
  if (outputFile === undefined) return undefined
  return documentName.safeParse(outputFile).error?.issues[0]?.message
}

/** Creates the kind of task that writes the content of tiles as an HTML file. */
export function createHtmlTemplate({
  insightFiles,
  clock,
  linkTo,
}: {
  insightFiles: Pick<InsightFiles, 'write'>
  clock: { now(): Date }
  /** Returns the link to the insight of a report. */
  linkTo: InsightLink
}): TaskKind {
  async function run({ principal, inputs }: StepWork): Promise<StepOutcome> {
    const { title = '', tiles = '', groupName = '' } = inputs
    const name = documentName.safeParse(inputs.outputFile ?? '')
    if (!name.success) return { status: 'ERROR', message: name.error.issues[0]!.message }
    const fileName = name.data
    const report = reportIn(tiles)
    if (report === undefined)
      return { status: 'ERROR', message: '`tiles` is not an output of “Read tiles”. Link the two tasks.' }
    const made = { title, report, madeAt: clock.now(), ...linkTo(report) }
    const content = reportHtml(made)
    const id = await insightFiles.write(principal, { groupName, fileName, fileType: 'SOURCE', content })
    return {
      status: 'INFO',
      message: `The file ${fileName} has been written to ${groupName}.`,
      outputs: { file: JSON.stringify({ id, name: fileName, groupName }), text: reportText(made) },
    }
  }

  return {
    ...common,
    definitionId: exporterTasks.html,
    definitionName: exporterTasks.html,
    readableName: 'Create HTML report',
    description:
      'Writes the content of tiles as an HTML file in the data lake. Charts become tables; “Create PDF report” draws them.',
    params: [
      {
        ...input,
        name: 'tiles',
        optional: false,
        description: 'Content of the tiles, from “Read tiles”.',
      },
      { ...input, name: 'title', optional: false, description: 'Title above the tiles.' },
      { ...input, name: 'groupName', valueType: 'GROUP', optional: false, description: 'Group of the file.' },
      { ...input, name: 'outputFile', optional: false, description: 'Name of the file, ending in .html.' },
      { ...output, name: 'file', valueType: 'FILE', description: 'The HTML file.' },
      { ...output, name: 'text', valueType: 'LONG_TEXT', description: 'The content as plain text.' },
    ],
    problemOf,
    run,
  }
}

const reportShape = z.object({
  title: z.string(),
  insightName: z.string(),
  groupName: z.string(),
  leftOut: z.number(),
  tiles: z.array(
    z.object({
      title: z.string(),
      kind: z.string(),
      note: z.string(),
      table: z
        .object({
          header: z.array(z.string()),
          rows: z.array(z.array(z.string())),
          isNumber: z.array(z.boolean()),
        })
        .optional(),
      text: z.string().optional(),
      isOmitted: z.boolean().optional(),
    }),
  ),
})

/** Parses the output of “Read tiles”; undefined for other texts. */
function reportIn(text: string): TileReport | undefined {
  try {
    return reportShape.parse(JSON.parse(text)) as TileReport
  } catch {
    return undefined
  }
}
