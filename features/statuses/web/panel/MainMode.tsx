import { useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { ErrorState, nothingFoundText, SearchField, Skeleton } from '@headwater/web-kit'
import type { JobType } from '../../contract/index.ts'
import { jobTypeTitles, noJobsTexts } from '../job-texts.ts'
import { useLatestJobs } from '../statuses-client.ts'
import { JobRow } from './JobRow.tsx'
import type { PanelModes } from './panel-mode.ts'
import { PanelHeader } from './PanelHeader.tsx'
import styles from './StatusesPanel.module.css'

/** The first page of the panel: the newest jobs of each kind that the user can see. */
export function MainMode({ modes, onClose }: { modes: PanelModes; onClose?: (() => void) | undefined }) {
  const can = useCan()
  const [text, setText] = useState('')
  const types: JobType[] = [
    ...(can('Science') ? (['PIPELINE'] as const) : []),
    ...(can('Groups', 'R', 'Lake') ? (['ETL'] as const) : []),
    ...(can('DataPreps', 'R', 'Storage') ? (['DATAPREP'] as const) : []),
  ]
  return (
    <>
      <PanelHeader onClose={onClose}>
        {onClose === undefined ? null : <h2>Statuses</h2>}
        <SearchField
          label="Search statuses"
          placeholder="Search statuses by group, pipeline, data prep name"
          value={text}
          onChange={setText}
        />
      </PanelHeader>
      {types.map((type) => (
        <Block key={type} type={type} text={text} modes={modes} />
      ))}
    </>
  )
}

function Block({ type, text, modes }: { type: JobType; text: string; modes: PanelModes }) {
  const jobs = useLatestJobs(type, text)
  const title = jobTypeTitles[type]
  return (
    <section className={styles.block} aria-label={title}>
      <div className={styles.blockHeader}>
        <h3>{title}</h3>
        <button type="button" className={styles.seeAll} onClick={() => modes.open({ mode: 'SEE_ALL', type })}>
          See all results
        </button>
      </div>
      {jobs.error ? <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} /> : null}
      {jobs.data === undefined && !jobs.error ? <Skeleton lines={3} /> : null}
      {jobs.data?.items.length === 0 ? (
        <p className={styles.none}>{text === '' ? noJobsTexts[type] : nothingFoundText}</p>
      ) : null}
      <ul className={styles.jobs}>
        {jobs.data?.items.map((job) => (
          <JobRow
            key={job.jobId}
            job={job}
            onOpen={() => modes.open({ mode: 'DETAILS', jobId: job.jobId, openedAtMs: Date.now() })}
          />
        ))}
      </ul>
    </section>
  )
}
