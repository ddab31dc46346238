import type { Page } from '@headwater/contract'
import { describeRecurrence } from '@headwater/cron'
import type { GroupAccess } from '@headwater/groups/server'
import { nextOccurrence } from '@headwater/schedules/server'
import { formatUtcSeconds, parseSearchQuery, type Principal } from '@headwater/server-kit'
import type { ListedSchedule } from '../../contract/index.ts'
import { prepScheduleKind, type ScheduleListStore, type ScheduleRow } from './schedule-list-store.ts'

/** Dependencies of the list of schedules. */
export interface ScheduleListDependencies {
  /** Reads schedules. */
  schedules: ScheduleListStore
  /** Finds readable groups. */
  groups: Pick<GroupAccess, 'scope'>
}

/** Returns a page of the schedules of pipelines and data preps that the caller can read. */
export async function listSchedules(
  { schedules, groups }: ScheduleListDependencies,
  principal: Principal,
  { query, from, size }: { query: string; from: number; size: number },
): Promise<Page<ListedSchedule>> {
  const { pairs, freeText } = parseSearchQuery(query)
  const valueOf = (name: string) => pairs.find(({ key }) => key.toLowerCase() === name)?.value.trim()
  const { rows, total } = await schedules.list(
    {
      scope: await groups.scope(principal),
      withPreps: principal.can('Storage', 'R'),
      nameContains: freeText.replaceAll('*', '') === '' ? undefined : freeText,
      namePattern: valueOf('name'),
      groupPattern: valueOf('groupname'),
    },
    { from, size },
  )
  return { from, totalSize: total, items: rows.map(toListedSchedule) }
}

function toListedSchedule(row: ScheduleRow): ListedSchedule {
  const { kind, id, number, name, groupName, trigger, active, lastAt, lastJobId, owner } = row
  const next = nextRunOf(row)
  return {
    type: kind === prepScheduleKind ? 'DATAPREP' : 'PIPELINE',
    id,
    number,
    name,
    groupName,
    ...('rule' in trigger
      ? { cron: '', description: describeRecurrence(trigger.rule), timeZone: trigger.rule.timeZone }
      : { cron: trigger.cron, description: '', timeZone: trigger.timeZone }),
    active,
    nextRun: next === null ? null : formatUtcSeconds(next),
    lastRun:
      lastAt === null || lastJobId === null ? null : { at: formatUtcSeconds(lastAt), jobId: lastJobId },
    owner,
  }
}

/**
 * Returns the next run of a trigger. It is computed, because a schedule stores only the earliest next run of all its triggers.
 */
function nextRunOf({ active, nextAt, trigger, triggerCount }: ScheduleRow): Date | null {
  if (!active || nextAt === null) return null
  if (triggerCount === 1) return nextAt
  // The earliest next run can itself be the result. A trigger with a holiday calendar has its own schedule.
  return nextOccurrence([trigger], new Date(nextAt.getTime() - 1), new Map())
}
