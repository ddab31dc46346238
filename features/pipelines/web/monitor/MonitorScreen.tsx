import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconServer from '@tabler/icons-react/dist/esm/icons/IconServer.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import {
  Button,
  EmptyState,
  HashTabs,
  NothingFound,
  links,
  Page,
  PageHeader,
  routeNames as names,
  SearchField,
  Select,
  Toolbar,
  useHashTab,
  useNow,
} from '@headwater/web-kit'
import {
  monitorTabs,
  periodFilters,
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
  const { text, status, period, set, clear } = useMonitorFilters()
  const now = useNow(60_000)
  const isFiltered = text !== '' || status !== '' || period !== 'all'
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
            <EmptyState icon={<IconActivity size={20} stroke={1.6} />} title="No runs yet">
              Runs of pipelines in groups you can read appear here, failures that no later run has resolved
              first.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}
