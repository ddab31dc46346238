import { formatNumber } from '@headwater/web-kit'
import type { Worker, WorkKind } from '../contract/index.ts'

/** Names of the kinds of work. */
export const workLabels: Readonly<Record<WorkKind, string>> = {
  scripts: 'Scripts',
  tasks: 'Built-in tasks',
  triggers: 'Triggers and approvals',
  'data-preps': 'Data preps',
  files: 'Uploads and housekeeping',
}

const jobLabels: Readonly<Record<string, string>> = {
  'ingest-ncsv': 'Ingest of a file',
  'run-data-prep': 'Run of a data prep',
  'run-user-code': 'Script',
  'run-built-in': 'Built-in task',
}

/** Returns the display name of a running job. Job kinds have user-friendly names. */
export function jobLabel(name: string): string {
  return jobLabels[name] ?? name
}

/** Formats a duration in ms with its two largest units, such as `2 min 5 s`. Less than a second is `0 s`. */
export function waitText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${formatNumber(count)} ${unit}`)
    .join(' ')
}

/** Returns whether no other process accepts new jobs. */
export function isLastRunning(worker: Worker, all: readonly Worker[]): boolean {
  return !all.some(
    ({ id, state, capacity }) => id !== worker.id && state === 'running' && capacity.length > 0,
  )
}
