import { useState } from 'react'
import { previewSchedule } from '@headwater/cron'
import { zoneOptions } from '../format/zone-options.ts'
import { Combobox } from './Combobox.tsx'
import { Select } from './Select.tsx'
import { TextField } from './TextField.tsx'
import { ScheduledTime, useNow } from './Time.tsx'
import styles from './ScheduleFields.module.css'

/** A recurring schedule. */
export interface ScheduleValue {
  /** Cron expression: minute, hour, day of the month, month and weekday. */
  cron: string
  /** IANA name of the time zone. */
  timeZone: string
}

const usual = [
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 7 * * *', label: 'Every day at 07:00' },
  { value: '0 7 * * 1-5', label: 'On weekdays at 07:00' },
  { value: '0 18 * * 1-5', label: 'On weekdays at 18:00' },
  { value: '0 7 * * 1', label: 'On Mondays at 07:00' },
  { value: '0 7 1 * *', label: 'On the first day of each month at 07:00' },
  { value: '', label: 'Custom' },
]

const nextTimesCount = 3

/** Fields for a schedule, with its description and its next times. */
export function ScheduleFields({
  value,
  errors,
  onChange,
}: {
  value: ScheduleValue
  /** Error messages of single fields. */
  errors?: { cron?: string | undefined; timeZone?: string | undefined }
  onChange: (change: Partial<ScheduleValue>) => void
}) {
  const [isOwn, setIsOwn] = useState(() => !usual.some(({ value: cron }) => cron === value.cron))
  return (
    <>
      <Select
        label="Schedule"
        value={isOwn ? '' : value.cron}
        options={usual}
        error={isOwn ? undefined : errors?.cron}
        onChange={(cron) => {
          setIsOwn(cron === '')
          if (cron) onChange({ cron })
        }}
      />
      {isOwn ? (
        <TextField
          label="Cron expression"
          mono
          value={value.cron}
          hint="Minute, hour, day, month and weekday, as in 0 7 * * 1-5."
          error={errors?.cron}
          onChange={(cron) => onChange({ cron })}
        />
      ) : null}
      <Combobox
        label="Time zone"
        required
        value={value.timeZone}
        options={zoneOptions()}
        error={errors?.timeZone}
        onChange={(zone) => {
          if (zone !== null) onChange({ timeZone: zone })
        }}
      />
      <Meaning {...value} />
    </>
  )
}

function Meaning({ cron, timeZone }: ScheduleValue) {
  const preview = previewSchedule(
    { expression: cron, timeZone },
    { after: useNow(60_000), count: nextTimesCount },
  )
  if ('invalid' in preview)
    return (
      <p className={styles.warning} role="status">
        {preview.reason}
      </p>
    )
  return (
    <div className={styles.meaning} role="status">
      <p className={styles.description}>{preview.description}</p>
      <ul className={styles.nextTimes} aria-label="Next runs">
        {preview.times.map((time) => (
          <li key={time.getTime()}>
            <ScheduledTime value={time} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </div>
  )
}
