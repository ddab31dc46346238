import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver, runMessage, useLastRuns } from '@headwater/statuses/web'
import {
  Badge,
  type Column,
  DataTable,
  GroupLink,
  IconButton,
  intervals,
  links,
  Menu,
  type MenuEntry,
  message,
  type Sort,
  ScheduledTime,
  scheduledTimeText,
  scheduledTimeWidth,
  StatusBadge,
  TextLink,
  Time,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchPipelines, type Pipeline } from '../../contract/index.ts'
import { DeletePipelineDialog } from '../components/DeletePipelineDialog.tsx'
import { RunPipelineDialog } from '../components/RunPipelineDialog.tsx'
import { scheduleWords } from '../schedule-words.ts'
import styles from './PipelinesTable.module.css'

const icon = { size: 16, stroke: 1.6 } as const

/** Pipelines that a text finds; refreshes every 10 s. */
export function PipelinesTable({ text, empty }: { text: string; empty: ReactNode }) {
  const navigate = useNavigate()
  const can = useCan()
  const mayRun = can('Creator', 'RW', 'Science')
  const maySeeRuns = can('Statuses')
  const [sort, setSort] = useState<Sort>({ column: 'updated', order: 'desc' })
  const list = useInfiniteList(
    searchPipelines,
    {
      query: {
        query: text,
        latest: true,
        sortBy: sort.column === 'name' ? 'name' : 'updated',
        sortOrder: sort.order,
      },
    },
    { intervalMs: intervals.listMs },
  )
  const runs = useLastRuns('PIPELINE', { enabled: maySeeRuns })
  const [dialog, setDialog] = useState<{ kind: 'run' | 'delete'; pipeline: Pipeline }>()
  const close = () => setDialog(undefined)

  function run(pipeline: Pipeline) {
    const last = runs.data?.get(pipeline.id)
    if (last === undefined || isRunOver(last)) setDialog({ kind: 'run', pipeline })
    else
      message('This pipeline is running already. Wait until the run finishes, then start it again.', 'warn')
  }
  const actionsOf = (pipeline: Pipeline): MenuEntry[] => [
    { label: 'Open', icon: <IconExternalLink {...icon} />, href: hrefOf(pipeline) },
    ...(mayRun ? [{ label: 'Run', icon: <IconPlayerPlay {...icon} />, onClick: () => run(pipeline) }] : []),
    {
      label: 'Versions',
      icon: <IconHistory {...icon} />,
      href: links.pipelineVersions(pipeline.groupName, pipeline.name),
    },
    ...(mayRun && pipeline.writeAccess
      ? [
          {
            label: 'Delete',
            icon: <IconTrash {...icon} />,
            danger: true,
            onClick: () => setDialog({ kind: 'delete', pipeline }),
          },
        ]
      : []),
  ]
  return (
    <>
      <DataTable
        {...list}
        label="Pipelines"
        rowHeight={36}
        columns={columnsOf(maySeeRuns ? runs.data : undefined, actionsOf)}
        rowKey={({ id }) => id}
        empty={empty}
        sort={sort}
        onSortChange={setSort}
        onOpenRow={(pipeline) => void navigate(hrefOf(pipeline))}
      />
      {dialog?.kind === 'run' ? (
        <RunPipelineDialog pipeline={dialog.pipeline} onClose={close} onStarted={() => void runs.refetch()} />
      ) : null}
      <DeletePipelineDialog
        pipeline={dialog?.kind === 'delete' ? dialog.pipeline : undefined}
        onClose={close}
      />
    </>
  )
}

function hrefOf({ groupName, name }: Pipeline): string {
  return links.pipeline(groupName, name)
}

function columnsOf(
  runs: ReadonlyMap<string, Job> | undefined,
  actionsOf: (pipeline: Pipeline) => MenuEntry[],
): Column<Pipeline>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(140px, 2fr)',
      sortable: true,
      text: ({ name }) => name,
      cell: (pipeline) => <TextLink href={hrefOf(pipeline)}>{pipeline.name}</TextLink>,
    },
    {
      id: 'group',
      header: 'Group',
      width: 'minmax(108px, 1fr)',
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) => <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>,
    },
    {
      id: 'tags',
      header: 'Tags',
      width: 'minmax(90px, 1fr)',
      priority: 3,
      text: ({ tags }) => tags.join(', '),
      cell: ({ tags }) => (
        <span className={styles.tags}>
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'trigger',
      header: 'Trigger',
      width: 'minmax(110px, 1fr)',
      quiet: true,
      priority: 2,
      text: triggerText,
      shortText: triggerText,
      cell: triggerText,
    },
    {
      id: 'next',
      header: 'Next run',
      width: scheduledTimeWidth,
      quiet: true,
      priority: 1,
      shortText: ({ schedules }) => {
        const next = nextScheduleOf(schedules)
        return scheduledTimeText(next?.nextRun ?? null, next?.timeZone ?? null)
      },
      cell: ({ schedules }) => {
        const next = nextScheduleOf(schedules)
        return next === undefined ? '—' : <ScheduledTime value={next.nextRun} timeZone={next.timeZone} />
      },
    },
    {
      id: 'version',
      header: 'Version',
      width: 50,
      align: 'end',
      quiet: true,
      cell: ({ version }) => `v${version}`,
    },
    {
      id: 'updated',
      header: 'Updated',
      width: 88,
      align: 'end',
      sortable: true,
      quiet: true,
      cell: ({ modifyDate }) => <Time value={modifyDate} />,
    },
    {
      id: 'by',
      header: 'By',
      width: 'minmax(76px, 1fr)',
      quiet: true,
      priority: 1,
      text: ({ lastChangeBy }) => lastChangeBy ?? '',
      cell: ({ lastChangeBy }) => lastChangeBy ?? '—',
    },
    ...(runs === undefined
      ? []
      : [
          {
            id: 'run',
            header: 'Last run',
            width: 96,
            text: ({ id }: Pipeline) => {
              const job = runs.get(id)
              return job === undefined ? '' : runMessage(job)
            },
            cell: ({ id }: Pipeline) => {
              const job = runs.get(id)
              return job === undefined ? '—' : <StatusBadge status={job.status} />
            },
          },
        ]),
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 28,
      cell: (pipeline) => (
        <Menu
          trigger={<IconButton label={`Actions of ${pipeline.name}`} icon={<IconDots {...icon} />} />}
          items={actionsOf(pipeline)}
        />
      ),
    },
  ]
}

function triggerText({ schedules }: Pipeline): string {
  return schedules.length === 0 ? 'Manual' : schedules.map(scheduleWords).join('; ')
}

/** The schedule that runs first; moments of one form sort as text. */
function nextScheduleOf(schedules: Pipeline['schedules']): Pipeline['schedules'][number] | undefined {
  return schedules
    .filter(({ nextRun }) => nextRun !== null)
    .toSorted((a, b) => (a.nextRun! < b.nextRun! ? -1 : 1))[0]
}
