import { allZones } from '@headwater/zones'
import { HolidayCalendarField, RoundingField } from '@headwater/preps/web'
import {
  Combobox,
  countOf,
  DateField,
  formatNumber,
  NumberField,
  Select,
  Switch,
  TextField,
  TimeField,
} from '@headwater/web-kit'
import { keepsOwnRange, type Tile } from '../../contract/index.ts'
import { type AppliedSet, setOfTile } from '../../contract/params/bind-tile.ts'
import type { ChosenRange } from '../../contract/params/param-values.ts'
import { defaultLastAmount, seriesRange, type SeriesRange } from '../../contract/series/series-range.ts'
import { maxLoadedRows } from '../../contract/series/row-limit.ts'
import { isBackwards } from '../../contract/series/series-request.ts'
import { countedFrom, rangeUnits, rangeWords } from '../params/range-words.ts'
import { useInsightData } from '../sources/insight-data.ts'
import styles from './Editor.module.css'

const ranges = [
  { value: 'LAST', label: 'Last' },
  { value: 'NEXT', label: 'Next' },
  { value: 'BETWEEN', label: 'Between' },
  { value: 'ALL', label: 'All' },
]

interface RangeFieldsProps {
  tile: Tile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}

/** Which part of its series a tile shows: range, time zone, rounding, limit of rows. */
export function RangeFields({ tile, onChange }: RangeFieldsProps) {
  const { sets } = useInsightData()
  const bound = keepsOwnRange(tile) ? undefined : setOfTile(tile, sets)
  const chosen = bound?.chosen.range
  const range = seriesRange.parse(tile)
  const set = (fields: Partial<SeriesRange>) => onChange(fields)
  return (
    <>
      {bound === undefined || chosen === undefined ? (
        <OwnRangeFields tile={tile} onChange={onChange} />
      ) : (
        <RangeOfSet {...bound} range={chosen} />
      )}
      <RoundingField
        value={range.roundingMode}
        disabled={range.decimalPrecision === null && chosen === undefined}
        onChange={(value) => onChange({ roundingMode: value })}
      />
      <DateField
        label="Ignore corrections after"
        hint="Shows values as they were stored on this date. Empty: the latest values."
        value={range.onDateTime?.slice(0, 10) ?? ''}
        onChange={(onDateTime) => set({ onDateTime: onDateTime || undefined })}
      />
      <NumberField
        label="Row limit"
        value={range.absoluteSize ?? undefined}
        min={1}
        placeholder={formatNumber(maxLoadedRows)}
        hint={rowLimitHint(tile)}
        onChange={(rows) => set({ absoluteSize: rows === undefined ? null : Math.max(1, Math.round(rows)) })}
      />
    </>
  )
}

/** What the row limit does to a tile. */
function rowLimitHint({ type }: Tile): string {
  return type === 'Chart'
    ? 'A chart with more points is drawn with fewer. Peaks stay visible.'
    : `The tile loads only the newest rows, at most ${formatNumber(maxLoadedRows)} for all its series.`
}

/** The range that a tile takes from the parameters it is bound to, which is not set here. */
function RangeOfSet({ set, range }: AppliedSet & { range: ChosenRange }) {
  const { title, id, timezone, decimalPrecision } = set
  return (
    <TextField
      label="Range"
      value={rangeWords(range)}
      readOnly
      hint={`Set by the parameters “${title || id}” (time zone ${timezone}, ${countOf(decimalPrecision, 'decimal')}). Turn on “Keep own range” to set it here.`}
      onChange={() => undefined}
    />
  )
}

/** The range, the time zone and the decimals of a tile that no parameters decide on. */
function OwnRangeFields({ tile, onChange }: RangeFieldsProps) {
  const range = seriesRange.parse(tile)
  const set = (fields: Partial<SeriesRange>) => onChange(fields)
  const isCounted = range.range === 'LAST' || range.range === 'NEXT'
  return (
    <>
      <Select
        label="Range"
        value={range.range}
        options={ranges}
        hint={range.time === undefined ? countedFrom(range.range) : undefined}
        onChange={(value) => onChange({ range: value ?? 'LAST' })}
      />
      {isCounted ? (
        <div className={styles.pair}>
          <NumberField
            label="Amount"
            value={range.lastTypeAmount}
            min={1}
            onChange={(amount) =>
              set({ lastTypeAmount: Math.max(1, Math.round(amount ?? defaultLastAmount)) })
            }
          />
          <Select
            label="Unit"
            value={range.lastType}
            options={rangeUnits}
            onChange={(value) => onChange({ lastType: value })}
          />
        </div>
      ) : null}
      {isCounted && range.lastType === 'WORKING_DAYS' ? (
        <HolidayCalendarField
          value={range.holidayCalendar ?? null}
          onChange={(name) => set({ holidayCalendar: name ?? undefined })}
        />
      ) : null}
      {isCounted && range.lastType !== 'VALUES' ? (
        <TimeField
          label="Count from time"
          value={range.time ?? ''}
          onChange={(time) => set({ time: time || undefined })}
        />
      ) : null}
      {range.range === 'BETWEEN' ? (
        <>
          <Bound
            label="From"
            date={range.from}
            time={range.fromTime}
            onDate={(from) => set({ from })}
            onTime={(fromTime) => set({ fromTime })}
          />
          <Bound
            label="To"
            problem={isBackwards(range) ? backwards(range) : undefined}
            date={range.to}
            time={range.toTime}
            onDate={(to) => set({ to })}
            onTime={(toTime) => set({ toTime })}
          />
        </>
      ) : null}
      <Combobox
        label="Time zone"
        value={range.timeZone}
        options={allZones().map((zone) => ({ value: zone, label: zone }))}
        onChange={(zone) => set({ timeZone: zone ?? 'UTC' })}
      />
      <NumberField
        label="Decimals"
        value={range.decimalPrecision ?? undefined}
        min={0}
        max={15}
        placeholder="as stored"
        onChange={(decimals) =>
          set({
            decimalPrecision: decimals === undefined ? null : Math.min(15, Math.max(0, Math.round(decimals))),
          })
        }
      />
    </>
  )
}

/** Lets a tile keep its range whatever the page or its parameters choose. */
export function KeepRangeSwitch({ tile, onChange }: RangeFieldsProps) {
  return (
    <Switch
      label="Keep own range"
      hint="Ranges chosen for the page or by parameters do not change this tile."
      checked={keepsOwnRange(tile)}
      onChange={(keepOwnRange) => onChange({ keepOwnRange: keepOwnRange || undefined })}
    />
  )
}

/** What to do about a range that ends before it begins, at the field that makes it so. */
function backwards({ from, to }: SeriesRange): { field: 'date' | 'time'; text: string } {
  return from.slice(0, 10) === to.slice(0, 10)
    ? { field: 'time', text: 'This is before “From”. Choose a later time.' }
    : { field: 'date', text: 'This is before “From”. Choose a later date.' }
}

function Bound(props: {
  label: string
  problem?: ReturnType<typeof backwards> | undefined
  date: string
  time: string
  onDate: (date: string) => void
  onTime: (time: string) => void
}) {
  const { label, problem, date, time, onDate, onTime } = props
  const errorAt = (field: 'date' | 'time') => (problem?.field === field ? problem.text : undefined)
  return (
    <div className={styles.pair}>
      <DateField label={label} value={date.slice(0, 10)} error={errorAt('date')} onChange={onDate} />
      <TimeField
        label={`${label}, time`}
        value={time.slice(0, 8)}
        error={errorAt('time')}
        onChange={onTime}
      />
    </div>
  )
}
