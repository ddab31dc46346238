import { useState } from 'react'
import {
  intervals,
  nothingFoundText,
  pageSizes,
  SearchField,
  TextField,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchStatuses, type JobType } from '../../contract/index.ts'
import { jobTypeTitles, noJobsTexts } from '../job-texts.ts'
import { statusQuery } from '../statuses-client.ts'
import { JobList } from './JobList.tsx'
import { JobRow } from './JobRow.tsx'
import type { PanelModes } from './panel-mode.ts'
import { PanelHeader } from './PanelHeader.tsx'

/** All jobs of one kind, newest first; pipelines can be filtered by tag. */
export function SeeAllMode({
  type,
  modes,
  onClose,
}: {
  type: JobType
  modes: PanelModes
  onClose?: (() => void) | undefined
}) {
  const [text, setText] = useState('')
  const [tag, setTag] = useState('')
  const list = useInfiniteList(
    searchStatuses,
    { query: { ...statusQuery(text), type, ...(tag === '' ? {} : { tag }) } },
    { intervalMs: intervals.statusMs, pageSize: pageSizes.history },
  )
  return (
    <>
      <PanelHeader onBack={modes.back} onClose={onClose}>
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
      </PanelHeader>
      <JobList
        list={list}
        none={text === '' && tag === '' ? noJobsTexts[type] : nothingFoundText}
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
