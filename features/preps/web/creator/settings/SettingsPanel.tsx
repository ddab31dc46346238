import { lastTypes, timeUnits } from '@headwater/symbols/contract'
import { GroupPicker } from '@headwater/groups/web'
import { type FormItems, SchemaForm, withSeconds, zoneOptions } from '@headwater/web-kit'
import { backendIsoFormat, dataPrepDefinition } from '../../../contract/index.ts'
import { unitText } from '../basket.ts'
import type { PrepSettings } from '../draft.ts'
import { RoundingField } from '../../components/RoundingField.tsx'
import { HolidayCalendarField } from './HolidayCalendarField.tsx'
import { DateTimeFields } from './DateTimeFields.tsx'
import styles from './SettingsPanel.module.css'

const dateFormats = [
  backendIsoFormat,
  "yyyy-MM-dd'T'HH:mm:ss",
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd',
  'dd.MM.yyyy',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
]

/** Settings with their own field; the group has a picker. */
type Fields = Omit<PrepSettings, 'outputGroup'>

const schema = dataPrepDefinition
  .omit({ name: true, outputGroup: true, symbols: true })
  .refine(({ dateFrom, dateTo }) => dateFrom === null || dateTo === null || dateFrom <= dateTo, {
    path: ['dateTo'],
    error: 'This is before “From”.',
  })

const countsUnits = ({ range }: Fields) => range === 'LAST' || range === 'NEXT'

const rangeItems: FormItems<Fields> = [
  {
    field: 'range',
    label: 'Range',
    choices: [
      { value: 'LAST', label: 'Last' },
      { value: 'NEXT', label: 'Next' },
      { value: 'BETWEEN', label: 'Between' },
      { value: 'ALL', label: 'All' },
    ],
  },
  {
    when: ({ range }) => range === 'BETWEEN',
    items: [
      {
        field: 'dateFrom',
        label: 'From',
        control: (props) => <DateTimeFields {...props} time="00:00:00" />,
      },
      {
        field: 'dateTo',
        label: 'To',
        control: (props) => <DateTimeFields {...props} time="23:59:59" />,
      },
    ],
  },
  {
    when: countsUnits,
    items: [
      [
        { field: 'lastTypeAmount', label: 'Amount' },
        { field: 'lastType', label: 'Unit', choices: unitOptions(lastTypes) },
      ],
    ],
  },
  {
    when: (settings) => countsUnits(settings) && settings.lastType !== 'VALUES',
    items: [
      {
        field: 'lastTypeOnTime',
        label: 'Time of day',
        as: 'time',
        hint: ({ lastTypeOnTime }) =>
          lastTypeOnTime === null
            ? 'If empty, the range is counted from the newest point, or from now.'
            : undefined,
        change: (time) => ({ lastTypeOnTime: time === null ? null : withSeconds(time) }),
      },
      {
        field: 'lastTypeOnTimeTimezone',
        label: 'Time zone for time of day',
        when: ({ lastTypeOnTime }) => lastTypeOnTime !== null,
        as: 'combobox',
        choices: zoneOptions,
        keepsUnknown: true,
        clearable: true,
      },
    ],
  },
  {
    field: 'holidayCalendar',
    label: 'Holiday calendar',
    when: (settings) =>
      (countsUnits(settings) && settings.lastType === 'WORKING_DAYS') ||
      settings.deltaTransDateLimitType === 'WORKING_DAYS',
    control: ({ value, onChange }) => <HolidayCalendarField value={value} onChange={onChange} />,
  },
  { field: 'delta', label: 'Filter by insertion time', as: 'checkbox' },
  {
    when: ({ delta }) => delta,
    items: [
      [
        { field: 'deltaTransDateLimitAmount', label: 'Inserted in the last', placeholder: 'no limit' },
        {
          field: 'deltaTransDateLimitType',
          label: 'Unit',
          choices: unitOptions(timeUnits),
          placeholder: 'None',
          clearable: true,
        },
      ],
    ],
  },
  { field: 'timezone', label: 'Time zone', as: 'combobox', choices: zoneOptions, keepsUnknown: true },
  {
    field: 'corrections',
    label: 'Corrections',
    choices: [
      { value: 'false', label: 'Latest value' },
      { value: 'true', label: 'Every version' },
      { value: 'history', label: 'Every version with insertion time' },
      { value: 'only', label: 'Corrected points only' },
    ],
  },
  [
    { field: 'decimalPrecision', label: 'Decimals' },
    {
      field: 'roundingMode',
      label: 'Rounding',
      control: ({ value, onChange }) => <RoundingField value={value} onChange={onChange} />,
    },
  ],
  { field: 'dateFormat', label: 'Date format', allowFree: true, choices: dateFormats },
  {
    field: 'order',
    label: 'Order',
    choices: [
      { value: 'asc', label: 'Oldest first' },
      { value: 'desc', label: 'Newest first' },
    ],
  },
]

const outputItems: FormItems<Fields> = [
  {
    field: 'outputLayout',
    label: 'Layout',
    choices: [
      { value: 'COLUMNS', label: 'Column per symbol' },
      { value: 'ROWS', label: 'Row per point' },
    ],
  },
  { field: 'attachMetadataToNcsv', label: 'Attach metadata', as: 'checkbox' },
  { field: 'skipEmptyColumns', label: 'Skip empty columns', as: 'checkbox' },
  {
    field: 'withType',
    label: 'Include types',
    as: 'checkbox',
    hint: 'The output file states the type of every column.',
  },
  {
    field: 'ncsvEmptySymbolsInResult',
    label: 'Include symbols without points',
    as: 'checkbox',
    disabled: ({ outputLayout }) => outputLayout === 'COLUMNS',
    hint: 'The output file has a row for each symbol without points.',
  },
  {
    field: 'failOnMissingSymbols',
    label: 'Fail on missing symbols',
    as: 'checkbox',
    hint: 'Otherwise missing symbols are skipped.',
  },
]

/** Panel with the settings of a data prep: range and format. */
export function SettingsPanel({
  settings,
  disabled,
  onChange,
}: {
  settings: PrepSettings
  disabled: boolean
  onChange: (settings: Partial<PrepSettings>) => void
}) {
  const form = { schema, value: settings, onChange }
  return (
    <fieldset className={styles.panel} disabled={disabled}>
      <h2 className={styles.title}>Range and format</h2>
      <SchemaForm {...form} items={rangeItems} />

      <h2 className={styles.section}>Output</h2>
      <GroupPicker
        label="Output group"
        disabled={disabled}
        value={settings.outputGroup === '' ? null : settings.outputGroup}
        onChange={(group) => onChange({ outputGroup: group ?? '' })}
      />
      <SchemaForm {...form} items={outputItems} />
    </fieldset>
  )
}

function unitOptions(units: readonly string[]) {
  return units.map((value) => ({ value, label: unitText(value) }))
}
