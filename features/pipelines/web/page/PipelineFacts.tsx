import { useNavigate } from 'react-router'
import {
  Badge,
  DetailsSection,
  Fact,
  Facts,
  GroupLink,
  links,
  ScheduledTime,
  Select,
  TextLink,
  Time,
} from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { type PipelineAddress, usePipelineVersions } from '../pipelines-client.ts'
import { scheduleText, withoutSchedule } from '../schedule-text.ts'
import styles from './PipelinePage.module.css'

/** Panel with the version, group, tags and schedule of a pipeline. */
export function PipelineFacts({ address, pipeline }: { address: PipelineAddress; pipeline: Pipeline }) {
  const navigate = useNavigate()
  const versions = usePipelineVersions(pipeline.id)
  const options = (versions.data?.items ?? [pipeline]).map(({ version, latest }) => ({
    value: String(version),
    label: `v${version}${latest ? ' · latest' : ''}`,
  }))
  const current = String(pipeline.version)
  const saved = versions.data?.items.find(({ version }) => version === pipeline.version) ?? pipeline
  if (!options.some(({ value }) => value === current)) options.push({ value: current, label: `v${current}` })
  return (
    <div className={styles.facts}>
      <Select
        label="Version"
        value={current}
        hint={
          versions.data !== undefined && versions.data.totalSize > versions.data.items.length
            ? `The newest ${versions.data.items.length} of ${versions.data.totalSize} versions. See all on the Versions page.`
            : undefined
        }
        options={options}
        onChange={(chosen) => {
          if (chosen === null || chosen === current) return
          const version = chosen === options[0]?.value ? 'latest' : chosen
          void navigate(links.pipeline(address.groupName, address.name, version))
        }}
      />
      <Facts>
        <Fact name="Group">
          <GroupLink href={links.group(pipeline.groupName)}>{pipeline.groupName}</GroupLink>
        </Fact>
        {pipeline.tags.length === 0 ? null : (
          <Fact name="Tags">
            <span className={styles.tags}>
              {pipeline.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>
          </Fact>
        )}
        <Fact name="Saved by">{saved.lastChangeBy ?? '—'}</Fact>
        <Fact name="Saved">
          <Time value={saved.modifyDate} show="datetime" />
        </Fact>
      </Facts>
      <DetailsSection title="Schedule">
        {pipeline.schedules.length === 0 ? (
          <p className={styles.note}>{withoutSchedule(pipeline)}</p>
        ) : (
          pipeline.schedules.map(({ nextRun, ...schedule }, index) => (
            <Facts key={index}>
              <Fact name="When">{scheduleText(schedule)}</Fact>
              <Fact name="Next run">
                <ScheduledTime value={nextRun} timeZone={schedule.timeZone} />
              </Fact>
            </Facts>
          ))
        )}
        <p className={styles.note}>
          <TextLink href={links.pipelineTriggers(pipeline.groupName, pipeline.name)}>Triggers</TextLink>
        </p>
      </DetailsSection>
    </div>
  )
}
