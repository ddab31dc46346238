import { useMemo } from 'react'
import { correctionModes, lastTypes, outputLayouts, timeUnits } from '@headwater/symbols/contract'
import { GroupPicker } from '@headwater/groups/web'
import {
  Checkbox,
  Combobox,
  FieldRow,
  fieldProblems,
  NumberField,
  type Option,
  Select,
  TimeField,
  withSeconds,
  zoneOptions,
} from '@headwater/web-kit'
import { backendIsoFormat, dataPrepDefinition } from '../../../contract/index.ts'
import { unitText } from '../basket.ts'
import type { PrepSettings } from '../draft.ts'
import { RoundingField } from '../../components/RoundingField.tsx'
import { HolidayCalendarField } from './HolidayCalendarField.tsx'
import { DateTimeFields } from './DateTimeFields.tsx'
import styles from './SettingsPanel.module.css'

const ranges: Option[] = [
  { value: 'LAST', label: 'Last' },
  { value: 'NEXT', label: 'Next' },
  { value: 'BETWEEN', label: 'Between' },
  { value: 'ALL', label: 'All' },
]
const correctionLabels: Record<(typeof correctionModes)[number], string> = {
  false: 'Latest value',
  true: 'Every version',
  history: 'Every version with insertion time',
  only: 'Corrected points only',
}
const layoutLabels: Record<(typeof outputLayouts)[number], string> = {
  COLUMNS: 'Column per symbol',
  ROWS: 'Row per point',
}
const lastUnits = lastTypes.map((value) => ({ value, label: unitText(value) }))
const units = timeUnits.map((value) => ({ value, label: unitText(value) }))
const corrections = correctionModes.map((value) => ({ value, label: correctionLabels[value] }))
const layouts = outputLayouts.map((value) => ({ value, label: layoutLabels[value] }))
const orders = [
  { value: 'asc', label: 'Oldest first' },
  { value: 'desc', label: 'Newest first' },
]
const dateFormats = [
  backendIsoFormat,
  "yyyy-MM-dd'T'HH:mm:ss",
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd',
  'dd.MM.yyyy',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
].map((value) => ({ value, label: value }))

const checked = dataPrepDefinition.omit({ name: true, outputGroup: true, symbols: true })

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
  const errors = useMemo(() => problemsOf(settings), [settings])
  /** Returns a change handler for a select field with enum values. */
  const choose = (field: keyof PrepSettings) => (value: string | null) =>
    onChange({ [field]: value } as Partial<PrepSettings>)
  const flag = (field: keyof PrepSettings) => (value: boolean) =>
    onChange({ [field]: value } as Partial<PrepSettings>)
  return (
    <fieldset className={styles.panel} disabled={disabled}>
      <h2 className={styles.title}>Range and format</h2>
      <RangeFields settings={settings} errors={errors} onChange={onChange} />
      <DeltaFields settings={settings} errors={errors} onChange={onChange} />
      <ZoneField
        label="Time zone"
        value={settings.timezone}
        error={errors.timezone}
        onChange={(zone) => onChange({ timezone: zone ?? 'UTC' })}
      />
      <Select
        label="Corrections"
        value={settings.corrections}
        options={corrections}
        onChange={choose('corrections')}
      />
      <FieldRow>
        <NumberField
          label="Decimals"
          min={0}
          max={15}
          value={settings.decimalPrecision}
          error={errors.decimalPrecision}
          onChange={(decimals) => onChange({ decimalPrecision: decimals ?? 2 })}
        />
        <RoundingField value={settings.roundingMode} onChange={choose('roundingMode')} />
      </FieldRow>
      <Combobox
        label="Date format"
        allowFree
        value={settings.dateFormat}
        options={dateFormats}
        error={errors.dateFormat}
        onChange={(format) => onChange({ dateFormat: format ?? '' })}
      />
      <Select label="Order" value={settings.order} options={orders} onChange={choose('order')} />

      <h2 className={styles.section}>Output</h2>
      <GroupPicker
        label="Output group"
        disabled={disabled}
        value={settings.outputGroup === '' ? null : settings.outputGroup}
        onChange={(group) => onChange({ outputGroup: group ?? '' })}
      />
      <Select
        label="Layout"
        value={settings.outputLayout}
        options={layouts}
        onChange={choose('outputLayout')}
      />
      <Checkbox
        label="Attach metadata"
        checked={settings.attachMetadataToNcsv}
        onChange={flag('attachMetadataToNcsv')}
      />
      <Checkbox
        label="Skip empty columns"
        checked={settings.skipEmptyColumns}
        onChange={flag('skipEmptyColumns')}
      />
      <Checkbox
        label="Include types"
        checked={settings.withType}
        hint="The output file states the type of every column."
        onChange={flag('withType')}
      />
      <Checkbox
        label="Include symbols without points"
        checked={settings.ncsvEmptySymbolsInResult}
        disabled={settings.outputLayout === 'COLUMNS'}
        hint="The output file has a row for each symbol without points."
        onChange={flag('ncsvEmptySymbolsInResult')}
      />
      <Checkbox
        label="Fail on missing symbols"
        checked={settings.failOnMissingSymbols}
        hint="Otherwise missing symbols are skipped."
        onChange={flag('failOnMissingSymbols')}
      />
    </fieldset>
  )
}

interface PartProps {
  settings: PrepSettings
  errors: Readonly<Record<string, string>>
  onChange: (settings: Partial<PrepSettings>) => void
}

function RangeFields({ settings, errors, onChange }: PartProps) {
  const { range, lastType, dateFrom, dateTo } = settings
  const counts = range === 'LAST' || range === 'NEXT'
  const isBackwards = dateFrom !== null && dateTo !== null && dateFrom > dateTo
  return (
    <>
      <Select
        label="Range"
        value={range}
        options={ranges}
        onChange={(value) => onChange({ range: value as PrepSettings['range'] })}
      />
      {range === 'BETWEEN' ? (
        <>
          <DateTimeFields
            label="From"
            value={dateFrom}
            time="00:00:00"
            error={errors.dateFrom}
            onChange={(date) => onChange({ dateFrom: date })}
          />
          <DateTimeFields
            label="To"
            value={dateTo}
            time="23:59:59"
            error={errors.dateTo ?? (isBackwards ? 'This is before “From”.' : undefined)}
            onChange={(date) => onChange({ dateTo: date })}
          />
        </>
      ) : null}
      {counts ? (
        <FieldRow>
          <NumberField
            label="Amount"
            min={1}
            max={1e9}
            value={settings.lastTypeAmount}
            error={errors.lastTypeAmount}
            onChange={(amount) => onChange({ lastTypeAmount: amount ?? 500 })}
          />
          <Select
            label="Unit"
            value={lastType}
            options={lastUnits}
            onChange={(value) => onChange({ lastType: value as PrepSettings['lastType'] })}
          />
        </FieldRow>
      ) : null}
      {counts && lastType !== 'VALUES' ? (
        <>
          <TimeField
            label="Time of day"
            value={settings.lastTypeOnTime ?? ''}
            hint={
              settings.lastTypeOnTime === null
                ? 'If empty, the range is counted from the newest point, or from now.'
                : undefined
            }
            error={errors.lastTypeOnTime ?? null}
            onChange={(time) => onChange({ lastTypeOnTime: time === '' ? null : withSeconds(time) })}
          />
          {settings.lastTypeOnTime === null ? null : (
            <ZoneField
              label="Time zone for time of day"
              clearable
              value={settings.lastTypeOnTimeTimezone}
              error={errors.lastTypeOnTimeTimezone}
              onChange={(zone) => onChange({ lastTypeOnTimeTimezone: zone })}
            />
          )}
        </>
      ) : null}
      {(counts && lastType === 'WORKING_DAYS') || settings.deltaTransDateLimitType === 'WORKING_DAYS' ? (
        <HolidayCalendarField
          value={settings.holidayCalendar}
          onChange={(holidayCalendar) => onChange({ holidayCalendar })}
        />
      ) : null}
    </>
  )
}

function DeltaFields({ settings, errors, onChange }: PartProps) {
  return (
    <>
      <Checkbox
        label="Filter by insertion time"
        checked={settings.delta}
        onChange={(delta) => onChange({ delta })}
      />
      {settings.delta ? (
        <FieldRow>
          <NumberField
            label="Inserted in the last"
            min={1}
            max={1e9}
            value={settings.deltaTransDateLimitAmount ?? undefined}
            error={errors.deltaTransDateLimitAmount}
            placeholder="no limit"
            onChange={(amount) => onChange({ deltaTransDateLimitAmount: amount ?? null })}
          />
          <Select
            label="Unit"
            clearable
            value={settings.deltaTransDateLimitType}
            options={units}
            placeholder="None"
            onChange={(value) =>
              onChange({ deltaTransDateLimitType: value as PrepSettings['deltaTransDateLimitType'] })
            }
          />
        </FieldRow>
      ) : null}
    </>
  )
}

function ZoneField(props: {
  label: string
  value: string | null
  error: string | undefined
  clearable?: boolean
  onChange: (zone: string | null) => void
}) {
  const zones = zoneOptions()
  const { value } = props
  const known = value === null || zones.some((zone) => zone.value === value)
  return <Combobox {...props} options={known ? zones : [{ value, label: value }, ...zones]} />
}

/** Returns the validation errors of the settings, by field. */
function problemsOf(settings: PrepSettings): Readonly<Record<string, string>> {
  return Object.fromEntries(fieldProblems(checked, settings).map(({ field, message }) => [field, message]))
}
