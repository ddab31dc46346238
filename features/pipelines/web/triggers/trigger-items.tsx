import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { groupControl, GroupPicker } from '@headwater/groups/web'
import { HolidayCalendarField } from '@headwater/preps/web'
import { allZones } from '@headwater/zones'
import {
  call,
  Combobox,
  type FormControlProps,
  type FormItems,
  MultiSelect,
  routeKey,
  statusLabel,
} from '@headwater/web-kit'
import { searchPipelines, type TriggerInput } from '../../contract/index.ts'
import { NextRuns } from './NextRuns.tsx'
import { RuleFields } from './RuleFields.tsx'
import { missedRunLabels } from './trigger-texts.ts'

type Trigger<Type extends TriggerInput['type']> = Extract<TriggerInput, { type: Type }>

/** Maximum number of pipelines that the field offers at once. */
const offered = 50

/** Fields of each type of trigger, besides name, switch and owner. */
export const triggerItems: { [Type in TriggerInput['type']]: FormItems<Trigger<Type>> } = {
  CRON: [
    {
      field: 'cron',
      label: 'Cron expression',
      mono: true,
      hint: 'Minute, hour, day of the month, month and weekday, as in 0 7 * * 1-5.',
    },
    { field: 'timeZone', label: 'Time zone', choices: () => allZones(), as: 'combobox' },
    { field: 'holidayCalendar', label: 'Holiday calendar', control: calendarControl },
    { field: 'missedRuns', label: 'Missed runs', choices: missedRunLabels },
    { part: (trigger) => <NextRuns trigger={trigger} /> },
  ],
  SCHEDULER: [
    {
      part: ({ rule }, set, state) => (
        <RuleFields rule={rule} state={state} onChange={(next) => set({ rule: next })} />
      ),
    },
    { field: 'timeZone', label: 'Time zone', choices: () => allZones(), as: 'combobox' },
    { field: 'holidayCalendar', label: 'Holiday calendar', control: calendarControl },
    {
      field: 'onFreeDay',
      label: 'On holidays and weekends',
      choices: {
        RUN: 'Run',
        SKIP: 'Skip',
        NEXT_BUSINESS_DAY: 'Run on the next business day',
        PREVIOUS_BUSINESS_DAY: 'Run on the previous business day',
      },
    },
    { field: 'missedRuns', label: 'Missed runs', choices: missedRunLabels },
    { part: (trigger) => <NextRuns trigger={trigger} /> },
  ],
  FILEARRIVAL: [
    { field: 'groupName', label: 'Group', control: groupControl },
    {
      field: 'namePattern',
      label: 'Name pattern',
      hint: '* stands for any text, as in prices*.csv. Default: all files.',
    },
  ],
  PIPELINE: [
    { field: 'pipelineId', label: 'Pipeline', control: (props) => <PipelineControl {...props} /> },
    { field: 'statuses', label: 'Statuses', control: statusesControl(['INFO', 'WARN', 'ERROR']) },
  ],
  RETRY: [
    { field: 'attempts', label: 'Attempts' },
    [
      { field: 'delaySeconds', label: 'Initial delay (s)' },
      { field: 'backoff', label: 'Back-off factor', step: 0.5 },
    ],
    { field: 'statuses', label: 'Error class', control: statusesControl(['WARN', 'ERROR']) },
  ],
  EMAIL: [
    {
      field: 'allowedSenders',
      label: 'Allowed senders',
      hint: 'Addresses; * stands for any text, as in *@example.com. Press Enter after each.',
      control: ({ value, onChange, ...field }) => (
        <MultiSelect {...field} allowFree value={value} options={[]} onChange={onChange} />
      ),
    },
    { field: 'subjectPattern', label: 'Subject pattern', hint: '* stands for any text. Default: all mails.' },
    {
      field: 'attachmentsGroupName',
      label: 'Group for attachments',
      control: ({ value, onChange, required: _required, ...field }) => (
        <GroupPicker {...field} clearable value={value ?? null} onChange={onChange} />
      ),
    },
  ],
  None: [
    {
      field: 'signed',
      label: 'Calls need a signature',
      hint: 'A signature also protects against replays.',
    },
    {
      field: 'renewSecret',
      label: 'Replace the URL and the signing key',
      hint: 'The old ones stop working. You see the new ones only once, after you save.',
      when: ({ id }) => id !== undefined,
    },
  ],
}

function calendarControl({ value, onChange }: FormControlProps<string | null | undefined>) {
  return <HolidayCalendarField value={value ?? null} onChange={onChange} />
}

function statusesControl<Status extends string>(statuses: readonly Status[]) {
  return function StatusesControl({ value, onChange, ...field }: FormControlProps<Status[]>) {
    return (
      <MultiSelect
        {...field}
        value={value}
        options={statuses.map((status) => ({ value: status, label: statusLabel(status) }))}
        onChange={(chosen) => onChange(statuses.filter((status) => chosen.includes(status)))}
      />
    )
  }
}

function PipelineControl({ value, onChange, ...field }: FormControlProps<string>) {
  const [text, setText] = useState('')
  const query = { query: text, latest: true, size: offered, sortBy: 'name', sortOrder: 'asc' } as const
  const pipelines = useQuery({
    queryKey: routeKey(searchPipelines, { query }),
    queryFn: ({ signal }) => call(searchPipelines, { query }, { signal }),
    placeholderData: (previous) => previous,
  })
  const options = (pipelines.data?.items ?? []).map(({ id, name, groupName }) => ({
    value: id,
    label: `${name} (${groupName})`,
  }))
  const isKnown = value === '' || options.some((option) => option.value === value)
  return (
    <Combobox
      {...field}
      placeholder="Choose a pipeline"
      value={value === '' ? null : value}
      options={isKnown ? options : [...options, { value, label: value }]}
      onSearch={(typed) => setText(options.some(({ label }) => label === typed) ? '' : typed)}
      total={pipelines.data?.totalSize}
      loading={pipelines.isFetching}
      onChange={(id) => onChange(id ?? '')}
    />
  )
}
