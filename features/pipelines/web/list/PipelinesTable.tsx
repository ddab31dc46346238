import { type ReactNode, useState } from 'react'
import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { ItemTable, itemColumns, lastRunColumns } from '@headwater/items/web'
import type { Job, TriggerType } from '@headwater/statuses/contract'
import { isRunOver, useLastRuns } from '@headwater/statuses/web'
import {
  type Column,
  intervals,
  links,
  type MenuEntry,
  type Sort,
  ScheduledTime,
  scheduledTimeText,
  scheduledTimeWidth,
  useInfiniteList,
  useProductConfig,
} from '@headwater/web-kit'
import { searchPipelines, type Pipeline } from '../../contract/index.ts'
import { DeletePipelineDialog } from '../components/DeletePipelineDialog.tsx'
import { PipelineStar } from '../components/PipelineStar.tsx'
import { RunPipelineDialog } from '../components/RunPipelineDialog.tsx'
import { tagsColumn } from '../components/tags-column.tsx'
import { exportToFile } from '../export-to-file.ts'
import { type ControlledRun, RunDialogs } from '../runs/RunDialogs.tsx'
import { ListSaveDialog } from '../saving/ListSaveDialog.tsx'
import { TagsDialog } from '../saving/TagsDialog.tsx'
import { scheduleText } from '../schedule-text.ts'
import { triggerName } from '../trigger-labels.ts'
import { ShareDialog } from '../sharing/ShareDialog.tsx'

const icon = { size: 16, stroke: 1.6 } as const

/** Filters of the list; empty ones match every pipeline. */
export interface PipelineFilter {
  /** Part of the name, or pairs such as `groupName=Flows`. */
  text: string
  tag: string
  trigger: TriggerType
  favourites: boolean
}

/** Table of the pipelines that match a filter; refreshes every 10 s. */
export function PipelinesTable({
  filter: { text, tag, trigger, favourites },
  empty,
}: {
  filter: PipelineFilter
  empty: ReactNode
}) {
  const can = useCan()
  const canRun = can('Creator', 'RW', 'Science')
  const canSeeRuns = can('Statuses')
  const { sharingEnabled } = useProductConfig()
  const [sort, setSort] = useState<Sort>({ column: 'updated', order: 'desc' })
  const list = useInfiniteList(
    searchPipelines,
    {
      query: {
        query: text,
        latest: true,
        triggerType: trigger,
        ...(tag === '' ? {} : { tag }),
        ...(favourites ? { favorite: true } : {}),
        sortBy: sort.column === 'name' ? 'name' : 'updated',
        sortOrder: sort.order,
      },
    },
    { intervalMs: intervals.listMs },
  )
  const runs = useLastRuns('PIPELINE', { enabled: canSeeRuns })
  const [dialog, setDialog] = useState<{
    kind: 'run' | 'delete' | 'copy' | 'move' | 'tags' | 'share'
    pipeline: Pipeline
  }>()
  const [stopped, setStopped] = useState<ControlledRun>()
  const close = () => setDialog(undefined)

  /** Stops the run in progress, or starts one. */
  function runOrStop(pipeline: Pipeline): MenuEntry {
    const last = runs.data?.get(pipeline.id)
    return last === undefined || isRunOver(last)
      ? {
          label: 'Run',
          icon: <IconPlayerPlay {...icon} />,
          onClick: () => setDialog({ kind: 'run', pipeline }),
        }
      : {
          label: 'Stop',
          icon: <IconPlayerStop {...icon} />,
          onClick: () => setStopped({ jobId: last.jobId, pipelineId: pipeline.id }),
        }
  }
  const actionsOf = (pipeline: Pipeline): MenuEntry[] => [
    { label: 'Open', icon: <IconExternalLink {...icon} />, href: hrefOf(pipeline) },
    ...(canRun ? [runOrStop(pipeline)] : []),
    {
      label: 'Versions',
      icon: <IconHistory {...icon} />,
      href: links.pipelineVersions(pipeline.groupName, pipeline.name),
    },
    {
      label: 'Triggers',
      icon: <IconBolt {...icon} />,
      href: links.pipelineTriggers(pipeline.groupName, pipeline.name),
    },
    ...(canRun
      ? [
          {
            label: 'Copy',
            icon: <IconCopy {...icon} />,
            onClick: () => setDialog({ kind: 'copy', pipeline }),
          },
        ]
      : []),
    ...(canRun && pipeline.writeAccess
      ? [
          {
            label: 'Rename or move',
            icon: <IconFolderSymlink {...icon} />,
            onClick: () => setDialog({ kind: 'move', pipeline }),
          },
          {
            label: 'Edit tags',
            icon: <IconTag {...icon} />,
            onClick: () => setDialog({ kind: 'tags', pipeline }),
          },
        ]
      : []),
    ...(canRun && sharingEnabled && pipeline.canShare
      ? [
          {
            label: 'Share',
            icon: <IconShare {...icon} />,
            onClick: () => setDialog({ kind: 'share', pipeline }),
          },
        ]
      : []),
    {
      label: 'Export',
      icon: <IconDownload {...icon} />,
      onClick: () => void exportToFile(pipeline),
    },
    ...(canRun && pipeline.writeAccess
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
      <ItemTable
        {...list}
        label="Pipelines"
        columns={columnsOf(canSeeRuns ? runs.data : undefined)}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={actionsOf}
        empty={empty}
        sort={sort}
        onSortChange={setSort}
      />
      {dialog?.kind === 'run' ? (
        <RunPipelineDialog pipeline={dialog.pipeline} onClose={close} onStarted={() => void runs.refetch()} />
      ) : null}
      {stopped === undefined ? null : (
        <RunDialogs
          dialog="stop"
          run={stopped}
          texts="creator"
          onClose={() => setStopped(undefined)}
          onDone={() => void runs.refetch()}
        />
      )}
      {dialog?.kind === 'copy' || dialog?.kind === 'move' ? (
        <ListSaveDialog purpose={dialog.kind} pipeline={dialog.pipeline} onClose={close} />
      ) : null}
      {dialog?.kind === 'tags' ? <TagsDialog pipeline={dialog.pipeline} onClose={close} /> : null}
      <ShareDialog pipeline={dialog?.kind === 'share' ? dialog.pipeline : undefined} onClose={close} />
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

function nameOf({ name }: Pipeline): string {
  return name
}

function columnsOf(runs: ReadonlyMap<string, Job> | undefined): Column<Pipeline>[] {
  const authorOf = ({ lastChangeBy }: Pipeline) => lastChangeBy
  const { name, group, version, updated, author } = itemColumns({ nameOf, hrefOf, authorOf, sortable: true })
  return [
    {
      id: 'favourite',
      header: <span className="visually-hidden">Favourite</span>,
      width: 28,
      cell: (pipeline) => <PipelineStar pipeline={pipeline} />,
    },
    // In a narrow window, the columns with the trigger and the next run are hidden last.
    { ...name, width: 'minmax(120px, 2fr)' },
    { ...group, width: 'minmax(76px, 1fr)' },
    tagsColumn({ width: 'minmax(90px, 1fr)', priority: 6 }),
    {
      id: 'trigger',
      header: 'Trigger',
      width: 'minmax(110px, 1fr)',
      quiet: true,
      priority: 1,
      text: startText,
      shortText: startText,
      cell: startText,
    },
    {
      id: 'next',
      header: 'Next run',
      width: scheduledTimeWidth,
      quiet: true,
      priority: 2,
      shortText: ({ schedules }) => {
        const next = nextScheduleOf(schedules)
        return scheduledTimeText(next?.nextRun ?? null, next?.timeZone ?? null)
      },
      cell: ({ schedules }) => {
        const next = nextScheduleOf(schedules)
        return next === undefined ? '—' : <ScheduledTime value={next.nextRun} timeZone={next.timeZone} />
      },
    },
    { ...version, priority: 4 },
    { ...updated, priority: 3 },
    { ...author, priority: 5 },
    ...lastRunColumns<Pipeline>(runs),
  ]
}

/** Describes what starts a pipeline. */
function startText({ schedules, trigger }: Pipeline): string {
  return schedules.length === 0 ? triggerName(trigger) : schedules.map(scheduleText).join('; ')
}

/** Returns the schedule with the earliest next run. ISO dates sort as text. */
function nextScheduleOf(schedules: Pipeline['schedules']): Pipeline['schedules'][number] | undefined {
  return schedules
    .filter(({ nextRun }) => nextRun !== null)
    .toSorted((a, b) => (a.nextRun! < b.nextRun! ? -1 : 1))[0]
}
