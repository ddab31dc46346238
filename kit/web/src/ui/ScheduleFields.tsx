import { useState } from 'react'
import { zoneOptions } from '../format/zone-options.ts'
import { Combobox } from './Combobox.tsx'
import { ScheduleMeaning, type ScheduleValue } from './ScheduleMeaning.tsx'
import { Select } from './Select.tsx'
import { TextField } from './TextField.tsx'

const usual = [
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 7 * * *', label: 'Every day at 07:00' },
  { value: '0 7 * * 1-5', label: 'On weekdays at 07:00' },
  { value: '0 18 * * 1-5', label: 'On weekdays at 18:00' },
  { value: '0 7 * * 1', label: 'On Mondays at 07:00' },
  { value: '0 7 1 * *', label: 'On the first day of each month at 07:00' },
  { value: '', label: 'Custom' },
]

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
      <ScheduleMeaning {...value} />
    </>
  )
}
