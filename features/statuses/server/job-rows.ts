import type { Selectable } from 'kysely'
import { isUuid } from '@headwater/contract'
import { formatUtc } from '@headwater/server-kit'
import type { ComponentStatus, Job, JobStatus } from '../contract/index.ts'
import { toMessage, type MessageRow } from './status-messages.ts'
import type { StatusTables } from './status-tables.ts'

/** A stored component, and whether the caller can read all groups with data in it. */
export type ComponentRow = Selectable<StatusTables['job_components']> & { is_readable: boolean }

/** Replacements in a status for callers who cannot read the groups of its data. */
const hidden = { component: 'Hidden', message: 'You have no access to the group of this step.' }

/** Converts a job to its response format. */
export function toJob(
  row: Selectable<StatusTables['jobs']> & { owner: string; reads_latest: boolean },
  components: ComponentRow[],
  messages: readonly MessageRow[],
): Job {
  const byStep = Map.groupBy(messages, (message) => message.e_id)
  const componentStatuses = components.map((component, index) =>
    component.is_readable
      ? toComponentStatus(component, byStep.get(component.e_id))
      : toHiddenStatus(component, index),
  )
  // A component that a script added has the status of its last message, which is already counted.
  const own = components.filter((component) => !component.is_sent || component.message_count === 0)
  const countOwn = (status: JobStatus) => own.filter((component) => component.status === status).length
  return {
    jobId: row.id,
    name: row.name,
    type: row.type,
    status: row.status,
    startTime: formatUtc(row.started_at),
    ...(row.ended_at === null ? {} : { endTime: formatUtc(row.ended_at) }),
    ...(row.version === null ? {} : { version: row.version }),
    ...(row.root_id === null ? {} : { rootId: row.root_id }),
    owner: row.owner,
    payload: row.group_name === '' ? row.payload : { groupName: row.group_name, ...row.payload },
    types: row.types,
    latestStatus: {
      status: row.latest_status,
      ...(row.reads_latest ? { message: row.latest_message, component: row.latest_component } : hidden),
    },
    warnCount: row.warn_count + countOwn('WARN'),
    errorCount: row.error_count + countOwn('ERROR'),
    warnStatuses: components.flatMap((component, index) =>
      warningsOf(component, componentStatuses[index]!, byStep.get(component.e_id) ?? []),
    ),
    componentStatuses,
  }
}

function toComponentStatus(row: ComponentRow, messages: readonly MessageRow[] = []): ComponentStatus {
  return {
    eId: row.e_id,
    ...(row.prev_e_id === null ? {} : { prevEId: row.prev_e_id }),
    component: row.component,
    status: row.status,
    message: row.message,
    startTime: formatUtc(row.started_at),
    ...(row.ended_at === null ? {} : { endTime: formatUtc(row.ended_at) }),
    payload: row.payload,
    ...(row.message_count === 0
      ? {}
      : {
          messages: messages.map(toMessage),
          messageCount: row.message_count,
          warnCount: row.warn_count,
          errorCount: row.error_count,
        }),
  }
}

/**
 * Returns only the status and times of a component. Its id is replaced too, because scripts choose ids, which can contain
 * names.
 */
function toHiddenStatus(row: ComponentRow, index: number): ComponentStatus {
  return {
    eId: isUuid(row.e_id) ? row.e_id : `hidden-${index + 1}`,
    ...hidden,
    status: row.status,
    startTime: formatUtc(row.started_at),
    ...(row.ended_at === null ? {} : { endTime: formatUtc(row.ended_at) }),
    payload: {},
  }
}

/** Returns the component if it has the status WARN, and its warnings from scripts in the form of components. */
function warningsOf(
  row: ComponentRow,
  {
    messages: _messages,
    messageCount: _count,
    warnCount: _warn,
    errorCount: _error,
    ...component
  }: ComponentStatus,
  messages: readonly MessageRow[],
): ComponentStatus[] {
  const isOwn = row.status === 'WARN' && (!row.is_sent || row.message_count === 0)
  const sent = messages
    .filter((message) => message.status === 'WARN')
    .map(({ message, sent_at }) => {
      const time = formatUtc(sent_at)
      return { ...component, status: 'WARN' as const, message, startTime: time, endTime: time }
    })
  return [...(isOwn ? [component] : []), ...sent]
}
