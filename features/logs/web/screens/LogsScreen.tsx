import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import {
  Button,
  EmptyState,
  ErrorState,
  levelLabel,
  links,
  Page,
  SearchField,
  Select,
  Skeleton,
  StatusBadge,
  Switch,
  toastError,
} from '@headwater/web-kit'
import { jobDetail, jobTitle, runMessage, useRun } from '@headwater/statuses/web'
import { type Job, visibleStatus } from '@headwater/statuses/contract'
import { findLevel, logLevels, type LogComponent } from '../../contract/index.ts'
import { saveLog, useLogComponents, type LogFilter } from '../logs-client.ts'
import { LogLines } from './LogLines.tsx'
import styles from './LogsScreen.module.css'
import { StepMessages } from './StepMessages.tsx'

/** The log of a job. Shows the messages of its steps while the log has no lines. The URL contains the filters. */
export default function LogsScreen() {
  const { jobId = '' } = useParams()
  const query = useRun(jobId)
  return (
    <Page>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data === undefined && !query.error ? <Skeleton lines={8} /> : null}
      {query.data === null ? (
        <EmptyState title="Job not found">
          It may have been deleted, or it is in a group you cannot read.
        </EmptyState>
      ) : null}
      {query.data ? <JobLog job={query.data} /> : null}
    </Page>
  )
}

function JobLog({ job }: { job: Job }) {
  const { jobId } = job
  const isLive = job.endTime === undefined
  const { component, level, search, setFilters } = useFilters(jobId)
  const [isEmpty, setEmpty] = useState(false)
  const [isFollowed, setFollowed] = useState(isLive)
  const filter: LogFilter = {
    ...(component === undefined ? {} : { component }),
    ...(findLevel(level ?? '') === undefined ? {} : { level: findLevel(level ?? '') }),
    ...(search === '' ? {} : { query: search }),
  }
  const components = useLogComponents(jobId, { isLive })
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{jobTitle(job)}</h1>
        <StatusBadge status={visibleStatus({ status: job.status, message: runMessage(job) })} />
        <span>{jobDetail(job)}</span>
        <code>{jobId}</code>
      </header>
      {isEmpty ? (
        <StepMessages steps={job.componentStatuses} component={component} level={level} />
      ) : (
        <div className={styles.filters}>
          <Select
            label="Component"
            value={component ?? ''}
            options={[
              { value: '', label: 'All components' },
              ...componentOptions(components.data, component),
            ]}
            onChange={(value) => setFilters({ component: value ?? '' })}
          />
          <Select
            label="Level"
            value={findLevel(level ?? '') ?? ''}
            options={levelOptions}
            onChange={(value) => setFilters({ level: value ?? '' })}
          />
          <SearchField
            label="Search the log"
            value={search}
            onChange={(text) => setFilters({ search: text })}
          />
          {isLive ? <Switch label="Follow new lines" checked={isFollowed} onChange={setFollowed} /> : null}
          <Button onClick={() => void saveLog(jobId, filter).catch(toastError)}>Download</Button>
        </div>
      )}
      <LogLines
        key={JSON.stringify(filter)}
        jobId={jobId}
        filter={filter}
        isLive={isLive}
        isFollowed={isLive && isFollowed}
        onEmpty={setEmpty}
      />
    </div>
  )
}

const levelOptions = [
  { value: '', label: 'All levels' },
  ...logLevels.map((value) => ({ value, label: levelLabel(value) })),
]

/** Returns the names of the steps, including the selected one even if it has no lines. */
function componentOptions(components: readonly LogComponent[] = [], selected: string | undefined) {
  const names = new Set(components.map(({ component }) => component))
  if (selected !== undefined) names.add(selected)
  return [...names].map((name) => ({ value: name, label: name }))
}

interface Filters {
  component: string
  level: string
  search: string
}

/** Returns the filters in the URL, `/Logs/{jobId}/{component}/{level}`. Without a component, the level is a query parameter. */
function useFilters(jobId: string) {
  const { component, level } = useParams()
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const current = {
    component,
    level: level ?? parameters.get('level') ?? undefined,
    search: parameters.get('search') ?? '',
  }
  function setFilters(change: Partial<Filters>): void {
    const next = { ...current, ...change }
    const inPath = next.component === undefined || next.component === '' ? undefined : next.component
    const levelName = next.level === '' ? undefined : next.level
    const query = new URLSearchParams({
      ...(inPath === undefined && levelName !== undefined ? { level: levelName } : {}),
      ...(next.search === '' ? {} : { search: next.search }),
    })
    const path = links.logs(jobId, inPath, inPath === undefined ? undefined : levelName)
    void navigate(query.size === 0 ? path : `${path}?${query.toString()}`, { replace: true })
  }
  return { ...current, setFilters }
}
