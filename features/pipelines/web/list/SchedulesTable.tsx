import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  type Column,
  DataTable,
  GroupLink,
  intervals,
  links,
  TextLink,
  ScheduledTime,
  scheduledTimeWidth,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchPipelines, type Pipeline } from '../../contract/index.ts'
import { scheduleText } from '../schedule-text.ts'

interface Scheduled {
  pipeline: Pipeline
  schedule: Pipeline['schedules'][number]
}

/** Table of the schedules of pipelines that match a text; refreshes every 10 minutes. */
export function SchedulesTable({ text, empty }: { text: string; empty: ReactNode }) {
  const navigate = useNavigate()
  const {
    rows,
    totalCount: _pipelines,
    ...list
  } = useInfiniteList(
    searchPipelines,
    { query: { query: text, latest: true, triggerType: 'CRON', sortBy: 'name', sortOrder: 'asc' } },
    { intervalMs: intervals.triggerLookupMs },
  )
  const scheduled = rows?.flatMap((pipeline) =>
    pipeline.schedules.map((schedule): Scheduled => ({ pipeline, schedule })),
  )
  return (
    <DataTable
      {...list}
      label="Schedules"
      rowHeight={36}
      columns={columns}
      rows={scheduled}
      rowKey={({ pipeline, schedule }) => `${pipeline.id} ${pipeline.schedules.indexOf(schedule)}`}
      empty={empty}
      onOpenRow={({ pipeline: { groupName, name } }) => void navigate(links.pipeline(groupName, name))}
    />
  )
}

const columns: Column<Scheduled>[] = [
  {
    id: 'name',
    header: 'Pipeline',
    width: 'minmax(180px, 2fr)',
    text: ({ pipeline }) => pipeline.name,
    cell: ({ pipeline: { groupName, name } }) => (
      <TextLink href={links.pipeline(groupName, name)}>{name}</TextLink>
    ),
  },
  {
    id: 'group',
    header: 'Group',
    width: 'minmax(110px, 1fr)',
    priority: 1,
    text: ({ pipeline }) => pipeline.groupName,
    cell: ({ pipeline: { groupName } }) => <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>,
  },
  {
    id: 'schedule',
    header: 'Schedule',
    width: 'minmax(180px, 2fr)',
    text: ({ schedule }) => `${scheduleText(schedule)} (${schedule.cron})`,
    cell: ({ schedule }) => scheduleText(schedule),
  },
  {
    id: 'next',
    header: 'Next run',
    width: scheduledTimeWidth,
    cell: ({ schedule: { nextRun, timeZone } }) => <ScheduledTime value={nextRun} timeZone={timeZone} />,
  },
  {
    id: 'by',
    header: 'Runs as',
    width: 'minmax(100px, 1fr)',
    quiet: true,
    priority: 2,
    text: ({ pipeline }) => pipeline.lastChangeBy ?? '',
    cell: ({ pipeline }) => pipeline.lastChangeBy ?? '—',
  },
]
