import { countOf } from '@headwater/contract'
import { type Access, links } from '@headwater/web-kit'
import type { Job, JobType } from '../contract/index.ts'

/** Titles of the three kinds of jobs. */
export const jobTypeTitles: Record<JobType, string> = {
  PIPELINE: 'Pipelines',
  ETL: 'Groups',
  DATAPREP: 'Data preps',
}

/** Texts for empty lists, by kind of job. */
export const noJobsTexts: Record<JobType, string> = {
  PIPELINE: 'Pipeline runs and their results appear here.',
  ETL: 'Uploaded files and their results appear here.',
  DATAPREP: 'Data prep runs and their results appear here.',
}

/** Returns the title of a job: the file name for ETL, otherwise the name of the pipeline or data prep. */
export function jobTitle(job: Pick<Job, 'name' | 'type' | 'payload'>): string {
  return job.type === 'ETL' ? (job.payload.fileName ?? job.name) : job.name
}

/** Returns the line below the title with group, version and file type. */
export function jobDetail(job: Pick<Job, 'payload' | 'version'>): string {
  const { groupName, fileType } = job.payload
  return [groupName, job.version === undefined ? undefined : `v${job.version}`, fileType]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** Access that the linked page of a job requires, by kind of job. */
export const jobAccess: Readonly<Record<JobType, Access>> = {
  PIPELINE: { resource: 'Creator', parent: 'Science' },
  DATAPREP: { resource: 'DataPreps', parent: 'Storage' },
  ETL: { resource: 'Groups', parent: 'Lake' },
}

/** Returns the URL of the object that a job refers to; undefined if it has no group. */
export function jobHref(
  job: Pick<Job, 'jobId' | 'name' | 'type' | 'version' | 'payload'> & Partial<Pick<Job, 'status'>>,
  insideLake: boolean,
) {
  const { groupName, fileId } = job.payload
  if (groupName === undefined) return undefined
  switch (job.type) {
    case 'PIPELINE':
      return links.pipeline(groupName, job.name, job.version, { jobId: job.jobId })
    case 'DATAPREP':
      return links.dataPrep(groupName, job.name, job.version, { jobId: job.jobId })
    case 'ETL':
      // A rejected file has no page.
      return fileId === undefined || job.status === 'ERROR'
        ? links.group(groupName)
        : links.lakeFile(groupName, fileId, { insideLake })
  }
}

/** Returns the numbers of warnings and errors, for example `2 warnings · 1 error`; empty if there are none. */
export function problemCounts({
  warnCount = 0,
  errorCount = 0,
}: {
  warnCount?: number
  errorCount?: number
}): string {
  const counts = [
    [warnCount, 'warning'],
    [errorCount, 'error'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, one]) => countOf(count, one))
    .join(' · ')
}

const hiddenPayload = new Set(['nodeId', 'pipelineId', 'version'])

/** Returns the displayed fields of a payload. Each label is the key, split at its capital letters. */
export function payloadRows(payload: Record<string, unknown>): { label: string; text: string }[] {
  return Object.entries(payload)
    .filter(
      ([key, value]) => !hiddenPayload.has(key) && value !== undefined && value !== null && value !== '',
    )
    .map(([key, value]) => ({
      label: labelOf(key),
      text: typeof value === 'string' ? value : JSON.stringify(value),
    }))
}

function labelOf(key: string): string {
  const text = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Formats a run time, for example `2 min 5 s`. For a running job, `now` replaces the end. */
export function runTime(start: string, end: string | undefined, now: Date): string {
  const ms = (end === undefined ? now.getTime() : Date.parse(`${end}Z`)) - Date.parse(`${start}Z`)
  if (!(ms >= 0)) return '—'
  const seconds = Math.floor(ms / 1000)
  if (seconds < 1) return `${ms} ms`
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .slice(0, 2)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}
