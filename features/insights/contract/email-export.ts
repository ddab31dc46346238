import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { groupText, nameText, notStorable, read, storable } from './names.ts'

/** Most recipients of one export. */
export const maxRecipients = 50

/** The pipeline that every exporter is made after, by its name and group; the latest version is meant. */
export const exporterTemplate = { name: 'insight-exporter', groupName: 'Pipeline templates' } as const

/** Where the export of an insight stands, as the page shows it. */
export const exportSteps = [
  'CHECK_IN_PROGRESS',
  'IN_PROGRESS',
  'PIPELINE_EXISTS',
  'PIPELINE_DOES_NOT_EXIST',
  'ERROR',
] as const
export type ExportStep = (typeof exportSteps)[number]

const line = (max: number, what: string) =>
  z
    .string()
    .trim()
    .min(1, `${what} is missing.`)
    .max(max, `${what} has at most ${max} characters.`)
    .refine(storable, notStorable)
    .regex(/^[^\r\n]*$/, `${what} is one line of text.`)

/** What goes out by e-mail, to whom and when. */
export const exportDetails = z.object({
  emailSubject: line(200, 'The subject').describe('Subject of the e-mail.'),
  reportTitle: line(200, 'The title').describe('Title above the tiles in the e-mail.'),
  recipients: z
    .array(z.string().trim().toLowerCase().max(320).pipe(z.email('This is not an e-mail address.')))
    .min(1, 'Name at least one recipient.')
    .max(maxRecipients, `At most ${maxRecipients} recipients.`)
    .describe('E-mail addresses.'),
  cron: z
    .string()
    .max(100, 'A cron expression has at most 100 characters.')
    .transform((text) => text.trim().replaceAll(/\s+/g, ' '))
    .describe('When it goes out: minute, hour, day of the month, month, weekday.'),
  timeZone: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .default('UTC')
    .describe('IANA zone of the schedule, default UTC.'),
})
export type ExportDetails = z.output<typeof exportDetails>

/** A task of a pipeline and its parameters. */
export const pipelineTask = z.object({
  name: z.string().describe('Name of the task within the pipeline.'),
  taskName: z.string().describe('Task that runs.'),
  parameters: z.record(z.string(), z.string()).describe('Parameters by name.'),
})
export type PipelineTask = z.infer<typeof pipelineTask>

/** The pipeline that exports an insight by e-mail, in the form that pipelines are created in. */
export const exporterPipeline = z.object({
  name: z.string().describe('Name of the insight and ` email exporter`.'),
  groupName: z.string().describe('Group of the insight.'),
  tasks: z.array(pipelineTask).describe('Schedule, tile downloader, HTML template and e-mail.'),
  payload: z
    .object({
      links: z.array(z.object({ from: z.string(), to: z.string() })).describe('Which task follows which.'),
      details: exportDetails,
    })
    .describe('How the tasks hang together, and what they were made of.'),
  tags: z.array(z.string()).describe('Always `insight`.'),
})
export type ExporterPipeline = z.infer<typeof exporterPipeline>

/** The name of the exporter of an insight: that of its file without `.json`, and ` email exporter`. */
export function exporterName(fileName: string): string {
  return `${fileName.replace(/\.json$/i, '')} email exporter`
}

/** The pipeline that sends an insight by e-mail. */
export function exporterOf(
  insight: { groupName: string; fileName: string },
  details: ExportDetails,
): ExporterPipeline {
  const name = exporterName(insight.fileName)
  const outputFile = `${name}-html-template.html`
  const { emailSubject, reportTitle, recipients, cron, timeZone } = details
  return {
    name,
    groupName: insight.groupName,
    tasks: [
      { name: 'cron-trigger', taskName: 'cron-trigger', parameters: { cron, timeZone } },
      {
        name: 'tile-downloader',
        taskName: 'tile-downloader',
        parameters: { groupName: insight.groupName, fileName: insight.fileName },
      },
      {
        name: 'html-template',
        taskName: 'generic-html-template',
        parameters: { title: reportTitle, outputFile },
      },
      {
        name: 'email',
        taskName: 'email-sender',
        parameters: { subject: emailSubject, recipients: recipients.join(','), bodyFile: outputFile },
      },
    ],
    payload: {
      links: [
        { from: 'cron-trigger', to: 'tile-downloader' },
        { from: 'tile-downloader', to: 'html-template' },
        { from: 'html-template', to: 'email' },
      ],
      details,
    },
    tags: ['insight'],
  }
}

const place = z.object({ groupName: groupText, insightName: nameText })

/** The exporter that was made for an insight. */
export const storedExport = z.object({
  pipeline: exporterPipeline.nullable().describe('Null when none was made.'),
  changedBy: z.string().nullable().describe('User name of who made or changed it last; null without one.'),
  changed: z.string().nullable().describe('When, ISO date-time in UTC; null without one.'),
})
export type StoredExport = z.infer<typeof storedExport>

const errors = ['groupNotFound', 'groupForbidden', 'insightNotFound', 'mayNotEdit'] as const

export const getInsightExport = defineRoute({
  name: 'getInsightExport',
  method: 'GET',
  path: '/insights/:groupName/:insightName/export',
  summary: 'The pipeline that sends an insight by e-mail, if one was made.',
  permission: read,
  params: place,
  output: storedExport,
  errors,
})

export const saveInsightExport = defineRoute({
  name: 'saveInsightExport',
  method: 'PUT',
  path: '/insights/:groupName/:insightName/export',
  summary:
    'Makes or changes the pipeline that sends an insight by e-mail. It is kept, and runs as soon as pipelines exist.',
  permission: read,
  params: place,
  body: exportDetails,
  output: storedExport,
  errors: [...errors, 'exportScheduleUnreadable', 'exportZoneUnknown'],
})

export const executeInsightExport = defineRoute({
  name: 'executeInsightExport',
  method: 'POST',
  path: '/insights/:groupName/:insightName/export/execute',
  summary: 'Runs the pipeline that sends an insight by e-mail. Until pipelines exist the answer is 409.',
  permission: read,
  params: place,
  output: z.object({ jobId: z.string().describe('Job of the run.') }),
  errors: [...errors, 'noExporter', 'pipelinesLater'],
})
