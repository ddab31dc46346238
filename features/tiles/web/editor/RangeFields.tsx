import { keepsOwnRange, type Tile } from '@headwater/tile-data/contract'
import {
  type AppliedSet,
  setOfTile,
  type ChosenRange,
  seriesRange,
  type SeriesRange,
  maxLoadedRows,
  isBackwards,
  commonTile,
} from '@headwater/tile-data/core'
import { countedFrom, rangeUnits, describeRange, useInsightData } from '@headwater/tile-data/web'
import { allZones } from '@headwater/zones'
import { HolidayCalendarField, RoundingField } from '@headwater/preps/web'
import { countOf, type FormItems, formatNumber, SchemaForm, TextField } from '@headwater/web-kit'

const schema = seriesRange
  .refine((range) => !isBackwards(range) || !isOneDay(range), {
    path: ['toTime'],
    error: 'This is before “From”. Choose a later time.',
  })
  .refine((range) => !isBackwards(range) || isOneDay(range), {
    path: ['to'],
    error: 'This is before “From”. Choose a later date.',
  })

/** The fields of the range. */
const rangeItems: FormItems<SeriesRange> = [
  {
    field: 'range',
    label: 'Range',
    choices: { LAST: 'Last', NEXT: 'Next', BETWEEN: 'Between', ALL: 'All' },
    hint: ({ range, time }) => (time === undefined ? countedFrom(range) : undefined),
  },
  {
    when: ({ range }) => range === 'LAST' || range === 'NEXT',
    items: [
      [
        { field: 'lastTypeAmount', label: 'Amount' },
        { field: 'lastType', label: 'Unit', choices: rangeUnits },
      ],
      {
        field: 'holidayCalendar',
        label: 'Holiday calendar',
        when: ({ lastType }) => lastType === 'WORKING_DAYS',
        control: ({ value, onChange }) => (
          <HolidayCalendarField value={value ?? null} onChange={(name) => onChange(name ?? undefined)} />
        ),
      },
      {
        field: 'time',
        label: 'Time of day',
        as: 'time',
        when: ({ lastType }) => lastType !== 'VALUES',
      },
    ],
  },
  {
    when: ({ range }) => range === 'BETWEEN',
    items: [
      [
        { field: 'from', label: 'From', as: 'date' },
        { field: 'fromTime', label: 'From (time)', as: 'time' },
      ],
      [
        { field: 'to', label: 'To', as: 'date' },
        { field: 'toTime', label: 'To (time)', as: 'time' },
      ],
    ],
  },
  { field: 'timeZone', label: 'Time zone', as: 'combobox', choices: allZones },
  { field: 'decimalPrecision', label: 'Decimals', placeholder: 'as stored' },
]

/** The fields of a tile. A tile that uses the range of parameters has no range fields. */
function itemsOf({ type }: Tile, { isBound }: { isBound: boolean }): FormItems<SeriesRange> {
  return [
    ...(isBound ? [] : rangeItems),
    {
      field: 'roundingMode',
      label: 'Rounding',
      disabled: ({ decimalPrecision }) => !isBound && decimalPrecision === null,
      control: ({ value, disabled, onChange }) => (
        <RoundingField value={value} disabled={disabled} onChange={onChange} />
      ),
    },
    {
      field: 'onDateTime',
      label: 'Ignore corrections after',
      as: 'date',
      hint: 'Shows values as they were stored on this date. Empty: the latest values.',
    },
    {
      field: 'absoluteSize',
      label: 'Row limit',
      placeholder: formatNumber(maxLoadedRows),
      hint:
        type === 'Chart'
          ? 'If there are more points, the chart draws a selection of them. Peaks stay visible.'
          : `The tile loads only the newest rows, at most ${formatNumber(maxLoadedRows)} for all its series.`,
    },
  ]
}

function isOneDay({ from, to }: SeriesRange): boolean {
  return from.slice(0, 10) === to.slice(0, 10)
}

interface RangeFieldsProps {
  tile: Tile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}

/** The range of a tile: range, time zone, rounding, row limit. */
export function RangeFields({ tile, onChange }: RangeFieldsProps) {
  const { sets } = useInsightData()
  const bound = keepsOwnRange(tile) ? undefined : setOfTile(tile, sets)
  const range = bound?.chosen.range
  return (
    <>
      {bound === undefined || range === undefined ? null : <RangeOfSet {...bound} range={range} />}
      <SchemaForm
        schema={schema}
        items={itemsOf(tile, { isBound: range !== undefined })}
        value={seriesRange.parse(tile)}
        onChange={onChange}
      />
    </>
  )
}

/** The read-only range of a tile that its parameters determine. */
function RangeOfSet({ set, range }: AppliedSet & { range: ChosenRange }) {
  const { title, id, timezone, decimalPrecision } = set
  return (
    <TextField
      label="Range"
      value={describeRange(range)}
      readOnly
      hint={`Set by the parameters “${title || id}” (time zone ${timezone}, ${countOf(decimalPrecision, 'decimal')}). Turn on “Keep own range” to set it here.`}
      onChange={() => undefined}
    />
  )
}

/** The switch that makes a tile ignore the range of the page and of its parameters. */
export function KeepRangeSwitch({ tile, onChange }: RangeFieldsProps) {
  return (
    <SchemaForm
      schema={commonTile}
      items={[
        {
          field: 'keepOwnRange',
          label: 'Keep own range',
          hint: 'Ranges chosen for the page or by parameters do not change this tile.',
        },
      ]}
      value={commonTile.parse(tile)}
      onChange={({ keepOwnRange }) => onChange({ keepOwnRange: keepOwnRange || undefined })}
    />
  )
}
