import { type ReactNode, useState } from 'react'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import { type ItemTarget, ItemTable, itemColumns, lastRunColumns } from '@headwater/items/web'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver, useLastRuns } from '@headwater/statuses/web'
import {
  type Column,
  EmptyState,
  intervals,
  lazyPart,
  type MenuEntry,
  PartBoundary,
  ScheduledTime,
  scheduledTimeText,
  scheduledTimeWidth,
  type Sort,
  statusLabel,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchDataPreps, type DataPrepSummary } from '../../contract/index.ts'
import { DeletePrepDialog } from '../components/DeletePrepDialog.tsx'
import { PrepStar } from '../components/PrepStar.tsx'
import { SavePrepDialog } from '../components/SavePrepDialog.tsx'
import { VersionsDialog } from '../components/VersionsDialog.tsx'
import { useFavouritePreps } from '../favourites.ts'
import { type CreatorTab, prepHref } from '../prep-links.ts'
import { favouriteQuery, usePrepCalls } from '../preps-client.ts'
import { startRun, warnRunning } from '../runs.ts'
import { useSavePrep } from '../use-save-prep.ts'
import { rangeText } from '../range-text.ts'

const icon = { size: 16, stroke: 1.6 } as const

const ScheduleDialog = lazyPart(() => import('../components/ScheduleDialog.tsx'))

/** Table of the data preps that match a search text; refreshes every 10 s. */
export function PrepsTable({ text, empty }: { text: string; empty: ReactNode }) {
  const [sort, setSort] = useState<Sort>({ column: 'updated', order: 'desc' })
  const list = useInfiniteList(
    searchDataPreps,
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
  return <Rows {...list} sort={sort} onSortChange={setSort} empty={empty} />
}

/** Table of the favourites of the user, in the order in which they were added. */
export function FavouritesTable() {
  const { ids } = useFavouritePreps()
  const queries = useQueries({ queries: ids.map(favouriteQuery) })
  const isLoading = queries.some(({ isPending }) => isPending)
  const error = queries.find((query) => query.error !== null)?.error ?? null
  return (
    <Rows
      rows={isLoading ? undefined : queries.flatMap(({ data }) => (data ? [data] : []))}
      error={error}
      onRetry={() => {
        for (const query of queries) void query.refetch()
      }}
      empty={
        <EmptyState icon={<IconStar size={20} stroke={1.6} />} title="No favourites yet">
          Click the star next to a data prep to add it here.
        </EmptyState>
      }
    />
  )
}

function Rows({
  empty,
  ...list
}: {
  rows: DataPrepSummary[] | undefined
  error: Error | null
  onRetry: () => void
  totalCount?: number | undefined
  onEndReached?: () => void
  loadingMore?: boolean
  sort?: Sort
  onSortChange?: (sort: Sort) => void
  empty: ReactNode
}) {
  const navigate = useNavigate()
  const can = useCan()
  const tab: CreatorTab = useSettings()?.storageScreen ?? 'Table'
  const canWrite = can('DataPreps', 'RW', 'Storage')
  const canSeeRuns = can('Statuses')
  const runs = useLastRuns('DATAPREP', { enabled: canSeeRuns })
  const calls = usePrepCalls()
  const save = useSavePrep()
  const [dialog, setDialog] = useState<{
    kind: 'delete' | 'copy' | 'versions' | 'schedule'
    prep: DataPrepSummary
  }>()
  const close = () => setDialog(undefined)
  const dialogFor = (kind: NonNullable<typeof dialog>['kind']) =>
    dialog?.kind === kind ? dialog.prep : undefined

  async function run(prep: DataPrepSummary, download: boolean) {
    const last = runs.data?.get(prep.id)
    if (last !== undefined && !isRunOver(last)) {
      warnRunning()
      return
    }
    if ((await startRun(prep, { download })) !== undefined) void runs.refetch()
  }
  async function copy(prep: DataPrepSummary, { name, groupName }: ItemTarget) {
    const { resolved: _, ...definition } = await calls.read(prep.id)
    const saved = await save('copy', { ...definition, name, outputGroup: groupName })
    close()
    void navigate(prepHref(saved, tab))
  }
  const hrefOf = (prep: DataPrepSummary) => prepHref(prep, tab)
  const actionsOf = (prep: DataPrepSummary): MenuEntry[] => {
    const canRun = canWrite && prep.writeAccess
    const item = (label: string, Icon: typeof IconCopy, onClick: () => void): MenuEntry => ({
      label,
      icon: <Icon {...icon} />,
      onClick,
    })
    return [
      { label: 'Open', icon: <IconExternalLink {...icon} />, href: prepHref(prep, tab) },
      item('Versions', IconHistory, () => setDialog({ kind: 'versions', prep })),
      ...(canRun
        ? [
            item('Run', IconPlayerPlay, () => void run(prep, false)),
            item('Run and download', IconDownload, () => void run(prep, true)),
            item('Schedule', IconCalendarTime, () => setDialog({ kind: 'schedule', prep })),
          ]
        : []),
      ...(canWrite ? [item('Copy', IconCopy, () => setDialog({ kind: 'copy', prep }))] : []),
      ...(canRun
        ? [
            {
              label: 'Delete',
              icon: <IconTrash {...icon} />,
              danger: true,
              onClick: () => setDialog({ kind: 'delete', prep }),
            },
          ]
        : []),
    ]
  }
  return (
    <>
      <ItemTable
        {...list}
        label="Data preps"
        columns={columnsOf(hrefOf, canSeeRuns ? runs.data : undefined)}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={actionsOf}
        empty={empty}
      />
      <DeletePrepDialog prep={dialogFor('delete')} onClose={close} />
      <VersionsDialog prep={dialogFor('versions')} tab={tab} onClose={close} />
      <PartBoundary fallback={null}>
        {dialog?.kind === 'schedule' ? <ScheduleDialog prep={dialog.prep} onClose={close} /> : null}
      </PartBoundary>
      {dialog?.kind === 'copy' ? (
        <SavePrepDialog
          title="Copy data prep"
          submitLabel="Save copy"
          initial={{
            name: `${dialog.prep.name} copy`,
            groupName: dialog.prep.writeAccess ? dialog.prep.outputGroup : '',
          }}
          onSave={(target) => copy(dialog.prep, target)}
          onClose={close}
        />
      ) : null}
    </>
  )
}

function nameOf({ name }: DataPrepSummary): string {
  return name
}

function columnsOf(
  hrefOf: (prep: DataPrepSummary) => string,
  runs: ReadonlyMap<string, Job> | undefined,
): Column<DataPrepSummary>[] {
  const authorOf = ({ modifiedBy }: DataPrepSummary) => modifiedBy
  const { name, group, version, updated, author } = itemColumns({ nameOf, hrefOf, authorOf, sortable: true })
  return [
    {
      id: 'favourite',
      header: <span className="visually-hidden">Favourite</span>,
      width: 28,
      cell: (prep) => <PrepStar prep={prep} status={runs?.get(prep.id)?.status} />,
    },
    name,
    group,
    {
      id: 'range',
      header: 'Range',
      width: 'minmax(130px, 1fr)',
      quiet: true,
      priority: 2,
      text: rangeText,
      shortText: rangeText,
      cell: rangeText,
    },
    {
      id: 'entries',
      header: 'Entries',
      width: 50,
      align: 'end',
      quiet: true,
      priority: 4,
      cell: ({ symbolCount }) => symbolCount.toLocaleString('en'),
    },
    version,
    updated,
    { ...author, priority: 3 },
    {
      id: 'next',
      header: 'Next run',
      width: scheduledTimeWidth,
      quiet: true,
      priority: 1,
      shortText: ({ nextRun, scheduleTimeZone, schedulePaused }) =>
        schedulePaused ? statusLabel('paused') : scheduledTimeText(nextRun, scheduleTimeZone),
      cell: ({ nextRun, scheduleTimeZone, schedulePaused }) =>
        schedulePaused ? (
          statusLabel('paused')
        ) : scheduleTimeZone === null ? (
          '—'
        ) : (
          <ScheduledTime value={nextRun} timeZone={scheduleTimeZone} />
        ),
    },
    ...lastRunColumns<DataPrepSummary>(runs),
  ]
}
