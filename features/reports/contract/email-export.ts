import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import {
  cronTriggerName,
  findPipelineByName,
  pipelineDetails,
  type PipelineDetails,
  type PipelineInput,
  type PipelineTask,
} from '@headwater/pipelines/contract'
import { referenceOf } from '@headwater/runs/contract'
import { emailAddress } from '@headwater/accounts/contract'
import { notStorable, storable } from '@headwater/insights/contract'

/** Maximum number of recipients of one export. */
export const maxRecipients = 50

/** Template of all exporters, in its latest version. */
export const exporterTemplate = {
  name: 'insight-exporter',
  groupName: 'Pipeline templates',
  version: 'latest',
} as const

/** Name of the input with the id of the insight, of the task that reads tiles. */
export const insightIdInput = 'insightId'

/** Tag of every exporter. */
export const exporterTag = 'insight'

/** Names of the tasks of an exporter, besides its schedule. */
export const exporterTasks = {
  download: 'tile-downloader',
  html: 'generic-html-template',
  email: 'email-sender',
} as const

/** States of the e-mail export on the page of an insight. */
export const exportSteps = [
  'CHECK_IN_PROGRESS',
  'IN_PROGRESS',
  'PIPELINE_EXISTS',
  'PIPELINE_DOES_NOT_EXIST',
  'ERROR',
] as const
/** State of the e-mail export on the page of an insight. */
export type ExportStep = (typeof exportSteps)[number]

const line = (max: number, what: string) =>
  z
    .string()
    .trim()
    .min(1, `${what} is missing.`)
    .max(max, `${what} can have at most ${max} characters.`)
    .refine(storable, notStorable)
    .regex(/^[^\r\n]*$/, `${what} must be one line of text.`)

/** Settings of an e-mail export. */
export const exportDetails = z.object({
  emailSubject: line(200, 'The subject').describe('Subject of the e-mail.'),
  reportTitle: line(200, 'The title').describe('Title above the tiles in the e-mail.'),
  recipients: z
    .array(emailAddress)
    .min(1, 'Enter at least one recipient.')
    .max(maxRecipients, `An export can have at most ${maxRecipients} recipients.`)
    .describe('E-mail addresses of the recipients.'),
  cron: z
    .string()
    .max(100, 'A cron expression can have at most 100 characters.')
    .transform((text) => text.trim().replaceAll(/\s+/g, ' '))
    .describe('Schedule as a cron expression: minute, hour, day of the month, month, weekday.'),
  timeZone: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .default('UTC')
    .describe('IANA time zone of the schedule. Default UTC.'),
})
/** Settings of an e-mail export. */
export type ExportDetails = z.output<typeof exportDetails>

const tilesReference = referenceOf('7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b01')
const fileReference = referenceOf('7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b02')
const textReference = referenceOf('7b0d6f0e-6f0a-4a2e-9f0e-1c7f0a4d2b03')

/** Built-in pipeline that is the template of all exporters. */
export const insightExporter: Pick<PipelineInput, 'name' | 'groupName' | 'tasks' | 'payload' | 'tags'> = {
  name: exporterTemplate.name,
  groupName: exporterTemplate.groupName,
  tasks: [
    taskOf(cronTriggerName, [], []),
    taskOf(
      exporterTasks.download,
      [cronTriggerName],
      [{ name: 'tiles', type: 'OUTPUT', value: tilesReference }],
    ),
    taskOf(
      exporterTasks.html,
      [],
      [
        { name: 'tiles', type: 'INPUT', value: tilesReference },
        { name: 'file', type: 'OUTPUT', value: fileReference },
        { name: 'text', type: 'OUTPUT', value: textReference },
      ],
    ),
    taskOf(
      exporterTasks.email,
      [],
      [
        { name: 'bodyFile', type: 'INPUT', value: fileReference },
        { name: 'text', type: 'INPUT', value: textReference },
      ],
    ),
  ],
  payload: JSON.stringify({
    positions: {
      [cronTriggerName]: { x: 0, y: 0 },
      [exporterTasks.download]: { x: 280, y: 0 },
      [exporterTasks.html]: { x: 560, y: 0 },
      [exporterTasks.email]: { x: 840, y: 0 },
    },
    comments: [],
    commentsVisible: true,
  }),
  tags: [exporterTag],
}

function taskOf(
  taskName: string,
  previous: string[],
  params: PipelineTask['taskOverrides']['params'],
): PipelineTask {
  return {
    id: taskName,
    taskName,
    taskGroup: '',
    taskVersion: null,
    taskReadableName: taskName,
    taskCategory: '',
    taskOverrides: { params },
    prevTasks: previous.map((id) => ({ id })),
    nextTasks: [],
    isPaused: false,
  }
}

/** Returns the name of the exporter of an insight: the name of its file without `.json`, followed by ` email exporter`. */
export function exporterName(fileName: string): string {
  return `${fileName.replace(/\.json$/i, '')} email exporter`
}

/** Returns the exporter of an insight. */
export const findInsightExporter = defineRoute({
  name: 'findInsightExporter',
  method: 'GET',
  path: '/insight/:id/exporter',
  summary: 'Returns the pipeline that sends an insight by e-mail.',
  permission: findPipelineByName.permission,
  params: z.object({ id: z.string().max(100).describe('Id of the insight.') }),
  output: z.object({
    pipeline: pipelineDetails
      .nullable()
      .describe('The newest version of the pipeline; null if the caller can read none.'),
  }),
})

/**
 * Returns the input for the exporter of an insight: the tasks of a template with the values of the insight.
 * @param name of the pipeline; default that of `exporterName`
 */
export function exporterOf(
  template: Pick<PipelineDetails, 'batchConfig' | 'payload'>,
  insight: { id: string; groupName: string; fileName: string },
  details: ExportDetails,
  name = exporterName(insight.fileName),
): Pick<PipelineInput, 'name' | 'groupName' | 'tasks' | 'payload' | 'tags'> {
  const { emailSubject, reportTitle, recipients, cron, timeZone } = details
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    [cronTriggerName]: { cron, timeZone },
    [exporterTasks.download]: { [insightIdInput]: insight.id },
    [exporterTasks.html]: {
      title: reportTitle,
      groupName: insight.groupName,
      outputFile: `${name}-html-template.html`,
    },
    [exporterTasks.email]: { subject: emailSubject, recipients: recipients.join(',') },
  }
  return {
    name,
    groupName: insight.groupName,
    tasks: template.batchConfig.tasks.map((task) => withInputs(task, values[task.taskName] ?? {})),
    payload: template.payload,
    tags: [exporterTag],
  }
}

function withInputs(task: PipelineTask, values: Readonly<Record<string, string>>): PipelineTask {
  const others = task.taskOverrides.params.filter(
    ({ name, type }) => type === 'OUTPUT' || !Object.hasOwn(values, name),
  )
  const set = Object.entries(values).map(([name, value]) => ({ name, type: 'INPUT' as const, value }))
  return { ...task, taskOverrides: { params: [...others, ...set] } }
}

/** Returns the settings of an exporter; missing ones are empty. */
export function exportDetailsOf({ batchConfig }: Pick<PipelineDetails, 'batchConfig'>): ExportDetails {
  const valueOf = (taskName: string, param: string) =>
    batchConfig.tasks
      .find((task) => task.taskName === taskName)
      ?.taskOverrides.params.find(({ name, type }) => name === param && type === 'INPUT')?.value ?? ''
  return {
    emailSubject: valueOf(exporterTasks.email, 'subject'),
    reportTitle: valueOf(exporterTasks.html, 'title'),
    recipients: valueOf(exporterTasks.email, 'recipients')
      .split(',')
      .filter((text) => text !== ''),
    cron: valueOf(cronTriggerName, 'cron'),
    timeZone: valueOf(cronTriggerName, 'timeZone') || 'UTC',
  }
}
