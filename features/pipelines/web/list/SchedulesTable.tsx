import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  type Column,
  DataTable,
  GroupLink,
  intervals,
  links,
  ScheduledTime,
  scheduledTimeWidth,
  statusLabel,
  TextLink,
  Time,
  useInfiniteList,
} from '@headwater/web-kit'
import { listSchedules, type ListedSchedule } from '../../contract/index.ts'
import { RunLink } from '../components/RunLink.tsx'
import { scheduleText } from '../schedule-text.ts'

/** Table of the schedules of pipelines and data preps that match a search text; refreshes every 10 minutes. */
export function SchedulesTable({ text, empty }: { text: string; empty: ReactNode }) {
  const navigate = useNavigate()
  const list = useInfiniteList(
    listSchedules,
    { query: { query: text } },
    { intervalMs: intervals.triggerLookupMs },
  )
  return (
    <DataTable
      {...list}
      label="Schedules"
      rowHeight={36}
      columns={columns}
      rowKey={({ id, number }) => `${id} ${number}`}
      empty={empty}
      onOpenRow={(schedule) => void navigate(hrefOf(schedule))}
    />
  )
}

function hrefOf({ type, groupName, name }: ListedSchedule): string {
  return type === 'PIPELINE' ? links.pipeline(groupName, name) : links.dataPrep(groupName, name)
}

function typeOf({ type }: ListedSchedule): string {
  return type === 'PIPELINE' ? 'Pipeline' : 'Data prep'
}

const columns: Column<ListedSchedule>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(160px, 2fr)',
    text: ({ name }) => name,
    cell: (schedule) => <TextLink href={hrefOf(schedule)}>{schedule.name}</TextLink>,
  },
  { id: 'type', header: 'Type', width: 84, quiet: true, priority: 4, text: typeOf, cell: typeOf },
  {
    id: 'group',
    header: 'Group',
    width: 'minmax(100px, 1fr)',
    priority: 3,
    text: ({ groupName }) => groupName,
    cell: ({ groupName }) => <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>,
  },
  {
    id: 'schedule',
    header: 'Schedule',
    width: 'minmax(160px, 2fr)',
    text: (schedule) => `${scheduleText(schedule)} (${schedule.cron})`,
    cell: scheduleText,
  },
  {
    id: 'next',
    header: 'Next run',
    width: scheduledTimeWidth,
    cell: ({ active, nextRun, timeZone }) =>
      active ? <ScheduledTime value={nextRun} timeZone={timeZone} /> : statusLabel('paused'),
  },
  {
    id: 'last',
    header: 'Last run',
    width: 118,
    quiet: true,
    priority: 2,
    cell: ({ type, lastRun }) =>
      lastRun === null ? (
        '—'
      ) : type === 'PIPELINE' ? (
        <RunLink jobId={lastRun.jobId}>
          <Time value={lastRun.at} show="minute" />
        </RunLink>
      ) : (
        <TextLink href={links.logs(lastRun.jobId)}>
          <Time value={lastRun.at} show="minute" />
        </TextLink>
      ),
  },
  {
    id: 'owner',
    header: 'Owner',
    width: 'minmax(100px, 1fr)',
    quiet: true,
    priority: 1,
    text: ({ owner }) => owner,
    cell: ({ owner }) => owner,
  },
]
