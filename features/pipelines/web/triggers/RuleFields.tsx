import { MultiSelect, SchemaForm, Select, type FormItems, type FormState } from '@headwater/web-kit'
import type { z } from 'zod'
import { utcDate } from '@headwater/contract'
import { calendarRule, intervalRule, type TriggerInput } from '../../contract/index.ts'
import { WeekdaysField } from '../components/WeekdaysField.tsx'
import { newCalendar } from './new-trigger.ts'

type Rule = Extract<TriggerInput, { type: 'SCHEDULER' }>['rule']
type Interval = z.output<typeof intervalRule>
type Calendar = z.output<typeof calendarRule>

/** Fields of the rule of a scheduler: an interval, or times of certain days. */
export function RuleFields({
  rule,
  state: { disabled, errors: given, showMissing },
  onChange,
}: {
  rule: Rule
  /** State of the form; errors of the rule start with `rule.`. */
  state: FormState
  onChange: (rule: Rule) => void
}) {
  const errors = Object.fromEntries(
    Object.entries(given).map(([field, text]) => [field.replace(/^rule\./, ''), text]),
  )
  return (
    <>
      <Select
        label="Repeats"
        value={rule.kind}
        disabled={disabled}
        options={[
          { value: 'CALENDAR', label: 'On certain days' },
          { value: 'INTERVAL', label: 'At an interval' },
        ]}
        onChange={(kind) => onChange(kind === 'INTERVAL' ? newInterval() : newCalendar)}
      />
      {rule.kind === 'INTERVAL' ? (
        <SchemaForm
          schema={intervalRule}
          items={intervalItems}
          value={rule}
          disabled={disabled}
          errors={errors}
          showMissing={showMissing}
          onChange={(change) => onChange({ ...rule, ...change })}
        />
      ) : (
        <SchemaForm
          schema={calendarRule}
          items={calendarItems(showMissing)}
          value={rule}
          disabled={disabled}
          errors={errors}
          showMissing={showMissing}
          onChange={(change) => onChange({ ...rule, ...change })}
        />
      )}
    </>
  )
}

function newInterval(): Interval {
  return {
    kind: 'INTERVAL',
    every: 1,
    unit: 'HOURS',
    start: `${utcDate(new Date())}T00:00`,
  }
}

const intervalItems: FormItems<Interval> = [
  [
    { field: 'every', label: 'Every' },
    {
      field: 'unit',
      label: 'Unit',
      choices: { MINUTES: 'Minutes', HOURS: 'Hours', DAYS: 'Days', WEEKS: 'Weeks' },
    },
  ],
  {
    field: 'start',
    label: 'Start',
    hint: 'Local time of the first run, as in 2026-01-31T08:00.',
    as: 'text',
  },
]

const calendarItems = (showMissing: boolean): FormItems<Calendar> => [
  {
    field: 'days',
    label: 'Days',
    choices: {
      EVERY_DAY: 'Every day',
      WEEKDAYS: 'Days of the week',
      BUSINESS_DAYS: 'Business days',
      FIRST_DAY_OF_MONTH: 'First day of the month',
      LAST_DAY_OF_MONTH: 'Last day of the month',
      FIRST_BUSINESS_DAY_OF_MONTH: 'First business day of the month',
      LAST_BUSINESS_DAY_OF_MONTH: 'Last business day of the month',
    },
  },
  {
    field: 'weekdays',
    label: 'Days of the week',
    when: ({ days }) => days === 'WEEKDAYS',
    control: ({ value, onChange, label, disabled }) => (
      <WeekdaysField
        label={label}
        disabled={disabled}
        showMissing={showMissing}
        value={value}
        onChange={onChange}
      />
    ),
  },
  {
    field: 'times',
    label: 'Times',
    hint: 'Local times such as 07:00. Press Enter after each.',
    control: ({ value, onChange, ...field }) => (
      <MultiSelect {...field} placeholder="07:00" allowFree value={value} options={[]} onChange={onChange} />
    ),
  },
]
