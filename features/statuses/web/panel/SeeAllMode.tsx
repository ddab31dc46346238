import { useState } from 'react'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { IconButton, intervals, pageSizes, SearchField, TextField, useInfiniteList } from '@headwater/web-kit'
import { searchStatuses, type JobType } from '../../contract/index.ts'
import { jobTypeTitles } from '../job-words.ts'
import { statusQuery } from '../statuses-client.ts'
import { JobList } from './JobList.tsx'
import { JobRow } from './JobRow.tsx'
import type { PanelModes } from './panel-mode.ts'
import styles from './StatusesPanel.module.css'

/** All jobs of one kind, newest first; pipelines can be filtered by tag. */
export function SeeAllMode({ type, modes }: { type: JobType; modes: PanelModes }) {
  const [text, setText] = useState('')
  const [tag, setTag] = useState('')
  const list = useInfiniteList(
    searchStatuses,
    { query: { ...statusQuery(text), type, ...(tag === '' ? {} : { tag }) } },
    { intervalMs: intervals.statusMs, pageSize: pageSizes.history },
  )
  return (
    <>
      <header className={styles.header}>
        <IconButton label="Back" icon={<IconArrowLeft size={18} stroke={1.6} />} onClick={modes.back} />
        <h2>{jobTypeTitles[type]}</h2>
        {type === 'PIPELINE' ? (
          <TextField
            label="Filter by tag"
            hideLabel
            placeholder="Filter by tag"
            type="search"
            value={tag}
            onChange={setTag}
          />
        ) : null}
        <SearchField
          label="Search statuses"
          placeholder="Search pipeline statuses"
          value={text}
          onChange={setText}
        />
      </header>
      <JobList
        list={list}
        row={(job) => (
          <JobRow
            key={job.jobId}
            job={job}
            onOpen={() => modes.open({ mode: 'DETAILS', jobId: job.jobId, openedAtMs: Date.now() })}
          />
        )}
      />
    </>
  )
}
