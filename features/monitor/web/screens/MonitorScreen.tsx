import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconServer from '@tabler/icons-react/dist/esm/icons/IconServer.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import {
  Button,
  EmptyState,
  ErrorState,
  HashTabs,
  intervals,
  NothingFound,
  links,
  Page,
  pageSizes,
  PageHeader,
  routeNames as names,
  SearchField,
  Select,
  Skeleton,
  Toolbar,
  useHashTab,
  useInfiniteList,
  useNow,
} from '@headwater/web-kit'
import { listRuns } from '../../contract/index.ts'
import {
  monitorTabs,
  periodFilters,
  runOrders,
  startOfPeriod,
  statusFilters,
  useMonitorFilters,
} from './monitor-filters.ts'
import styles from './Monitor.module.css'
import { RunsTable } from './RunsTable.tsx'

/** Monitor of runs: open failures first; the tabs are those of the setting `dashboardUserTabs`. The URL has the filters. */
export default function MonitorScreen() {
  const settings = useSettings()
  const can = useCan()
  const tabs = monitorTabs(settings?.dashboardUserTabs ?? '[]', names.recent)
  const active = useHashTab(tabs)
  const tag = tabs.find(({ hash }) => hash === active)?.tag
  const { text, status, period, order, set, clear } = useMonitorFilters()
  const now = useNow(60_000)
  const isFiltered = text !== '' || status !== ''
  return (
    <Page>
      {can('Administrator') ? (
        <PageHeader
          actions={
            <Button icon={<IconServer size={16} stroke={1.6} />} href={links.myAccount('workers')}>
              Workers and queue
            </Button>
          }
        />
      ) : null}
      <Toolbar>
        <HashTabs label="Runs" tabs={tabs} />
        <div className={styles.filters}>
          <Select
            label="Status"
            hideLabel
            value={status}
            options={statusFilters.map(({ value, label }) => ({ value, label }))}
            onChange={(value) => set('status', value ?? '')}
          />
          <Select
            label="Period"
            hideLabel
            value={period}
            options={periodFilters.map(({ value, label }) => ({ value, label }))}
            onChange={(value) => set('period', value ?? '')}
          />
          <Select
            label="Order"
            hideLabel
            value={order}
            options={runOrders.map(({ value, label }) => ({ value, label }))}
            onChange={(value) => set('order', value ?? '')}
          />
          <SearchField
            label="Search runs"
            placeholder="Search by pipeline or group"
            width={240}
            value={text}
            onChange={(value) => set('query', value)}
          />
        </div>
      </Toolbar>
      <RunsTable
        isNewestFirst={order === 'newest'}
        onNewestFirst={(isNewestFirst) => set('order', isNewestFirst ? 'newest' : '')}
        query={{
          query: text,
          tag,
          status: statusFilters.find(({ value }) => value === status)?.statuses,
          startedFrom: startOfPeriod(period, now),
        }}
        empty={
          isFiltered ? (
            <NothingFound what="runs" onShowAll={clear}>
              {tag === undefined
                ? 'No run matches these filters.'
                : `No run of a pipeline with the tag ${tag} matches.`}
            </NothingFound>
          ) : (
            <NoRuns tag={tag} onShowAll={clear} />
          )
        }
      />
    </Page>
  )
}

/** Explains an empty list without filters: there are no runs yet, or none in the period. */
function NoRuns({ tag, onShowAll }: { tag: string | undefined; onShowAll: () => void }) {
  const can = useCan()
  const all = useInfiniteList(
    listRuns,
    { query: { tag, sortBy: 'start' } },
    { pageSize: pageSizes.details, intervalMs: intervals.listMs },
  )
  if (all.error !== null) return <ErrorState error={all.error} onRetry={all.onRetry} />
  if (all.totalCount === undefined) return <Skeleton lines={3} />
  if (all.totalCount > 0)
    return (
      <NothingFound what="runs" onShowAll={onShowAll}>
        No run started in this period.
      </NothingFound>
    )
  return (
    <EmptyState
      icon={<IconActivity size={20} stroke={1.6} />}
      title="No runs yet"
      action={can('Science') ? <Button href={links.scienceList()}>Show pipelines</Button> : undefined}
    >
      {tag === undefined ? 'Runs of pipelines' : `Runs of pipelines with the tag ${tag}`} in groups you can
      read appear here. To start one, open a pipeline and click Run, or add a trigger to it.
    </EmptyState>
  )
}
