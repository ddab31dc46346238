import { allZones } from '@headwater/zones'
import { OPERATIONS } from '@headwater/charts'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Checkbox, Combobox, IconButton, NumberField, Select, TextField } from '@headwater/web-kit'
import { ColorField } from '../../components/ColorField.tsx'
import styles from '../../components/Editor.module.css'
import { FoldedItem } from '../../components/FoldedItem.tsx'
import { symbolName } from '../../../contract/series/series-name.ts'
import type { AnswerColumn } from '../../../contract/series/series-answer.ts'
import { defaultMovingAverage } from '../../../contract/tiles/chart/chart-data.ts'
import { seriesLabel } from '../../../contract/tiles/chart/chart-points.ts'
import { seriesColors } from './chart-spec-of-tile.ts'
import { interpolationOptions } from './interpolation-options.ts'
import type { ChartSeries, ChartTile } from './chart-tile.ts'

const kinds = [
  { value: 'line', label: 'Line' },
  { value: 'area', label: 'Area' },
  { value: 'bars', label: 'Bars' },
  { value: 'scatter', label: 'Scatter' },
]
const averages = [
  { value: '0', label: 'Off' },
  ...[3, 5, 7, 10, 14, 20, 30, 50, 90, 100, 200].map((size) => ({
    value: String(size),
    label: `${size} values`,
  })),
]
const small = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The series of a chart, one of them open with all its settings. */
export function SeriesFields({
  chart,
  columns,
  open,
  onOpen,
  onChange,
}: {
  chart: ChartTile
  /** The columns of the data, when they are those of a table or of something else than the series of the chart. */
  columns: readonly AnswerColumn[] | undefined
  /** Which series is open, by its index; -1 for none. */
  open: number
  onOpen: (index: number) => void
  onChange: (series: ChartSeries[], topic?: string) => void
}) {
  const colors = seriesColors(chart)
  const automatic = seriesColors({
    ...chart,
    series: chart.series.map((each) => ({ ...each, color: undefined })),
  })
  const { series } = chart
  return series.map((each, index) => {
    const isOpen = index === open
    const first = each.dynamic && each.label === '' ? 'Every symbol' : seriesLabel(each)
    const name = [...new Set([first, each.column])].filter((text) => text !== '').join(' · ')
    const set = (change: Partial<ChartSeries>) =>
      onChange(series.with(index, { ...each, ...change }), `series ${index} ${Object.keys(change).join()}`)
    return (
      <FoldedItem
        key={index}
        name={name}
        color={colors[index]}
        open={isOpen}
        onToggle={() => onOpen(isOpen ? -1 : index)}
      >
        <OneSeries
          series={each}
          columns={columns}
          automaticColor={automatic[index]!}
          onChange={set}
          isSeasonal={chart.basicChartType === 'seasonality'}
        />
        <div className={styles.tools}>
          <IconButton
            label="Move up"
            icon={<IconArrowUp {...small} />}
            disabled={index === 0}
            onClick={() => {
              onChange(swapped(series, index, index - 1))
              onOpen(index - 1)
            }}
          />
          <IconButton
            label="Move down"
            icon={<IconArrowDown {...small} />}
            disabled={index === series.length - 1}
            onClick={() => {
              onChange(swapped(series, index, index + 1))
              onOpen(index + 1)
            }}
          />
          <IconButton
            label={`Duplicate ${seriesLabel(each)}`}
            icon={<IconCopy {...small} />}
            onClick={() => {
              onChange(series.toSpliced(index + 1, 0, { ...each }))
              onOpen(index + 1)
            }}
          />
          <IconButton
            label={`Remove ${seriesLabel(each)}`}
            icon={<IconTrash {...small} />}
            onClick={() => onChange(series.toSpliced(index, 1))}
          />
        </div>
      </FoldedItem>
    )
  })
}

function swapped(series: readonly ChartSeries[], a: number, b: number): ChartSeries[] {
  return series.with(a, series[b]!).with(b, series[a]!)
}

function OneSeries({
  series,
  columns,
  automaticColor,
  onChange,
  isSeasonal,
}: {
  series: ChartSeries
  columns: readonly AnswerColumn[] | undefined
  automaticColor: string
  onChange: (change: Partial<ChartSeries>) => void
  isSeasonal: boolean
}) {
  const isLine = series.chartType === 'line' || series.chartType === 'area'
  const size = String(series.movingAverageValue)
  const offered = averages.some(({ value }) => value === size)
    ? averages
    : [...averages, { value: size, label: `${size} values` }]
  const colour = (
    <ColorField
      label="Colour"
      value={series.color}
      automatic={automaticColor}
      onChange={(color) => onChange({ color })}
    />
  )
  return (
    <>
      <TextField
        label="Label"
        value={series.label}
        maxLength={200}
        onChange={(label) => onChange({ label })}
      />
      <div className={styles.pair}>
        <Select
          label="Kind"
          value={series.chartType}
          options={kinds}
          onChange={(chartType) => onChange({ chartType: chartType as ChartSeries['chartType'] })}
        />
        <Select
          label="Axis"
          value={series.axis}
          options={[
            { value: 'left', label: 'Left' },
            { value: 'right', label: 'Right' },
          ]}
          onChange={(axis) => onChange({ axis: axis as ChartSeries['axis'] })}
        />
      </div>
      {isLine ? (
        <div className={styles.pair}>
          <NumberField
            label="Thickness"
            value={series.lineThickness}
            min={0.5}
            max={20}
            step={0.1}
            onChange={(value) => onChange({ lineThickness: within(value ?? 1.4, 0.5, 20) })}
          />
          <Select
            label="Line"
            value={series.lineStyle}
            options={[
              { value: 'SOLID', label: 'Solid' },
              { value: 'DASHED', label: 'Dashed' },
            ]}
            onChange={(lineStyle) => onChange({ lineStyle: lineStyle as ChartSeries['lineStyle'] })}
          />
        </div>
      ) : null}
      <div className={styles.pair}>
        <NumberField
          label="Opacity"
          value={series.lineOpacity}
          min={0}
          max={1}
          step={0.1}
          onChange={(value) => onChange({ lineOpacity: within(value ?? 1, 0, 1) })}
        />
        {series.chartType === 'scatter' ? (
          <NumberField
            label="Dot size"
            value={series.dotSize}
            min={1}
            max={40}
            onChange={(value) => onChange({ dotSize: within(value ?? 5, 1, 40) })}
          />
        ) : isSeasonal ? null : (
          colour
        )}
      </div>
      {series.chartType === 'scatter' && !isSeasonal ? colour : null}
      <Select
        label="Moving average"
        value={series.movingAverage ? size : '0'}
        options={offered}
        onChange={(choice) =>
          onChange({
            movingAverage: choice !== '0',
            movingAverageValue: choice === '0' || choice === null ? defaultMovingAverage : Number(choice),
          })
        }
      />
      {isLine ? (
        <Select
          label="Interpolation"
          value={series.interpolation ?? ''}
          options={[{ value: '', label: 'Chart default' }, ...interpolationOptions]}
          onChange={(choice) =>
            onChange({ interpolation: (choice || undefined) as ChartSeries['interpolation'] })
          }
        />
      ) : null}
      <Select
        label="Duplicate dates"
        value={series.operation}
        options={OPERATIONS.map((value) => ({ value, label: value === 'SUM' ? 'Sum' : value }))}
        onChange={(operation) => onChange({ operation: operation as ChartSeries['operation'] })}
      />
      {columns === undefined ? null : (
        <Select
          label="Column"
          value={series.column}
          options={offeredColumns(columns, ['number', 'text'], series.column)}
          onChange={(column) => onChange({ column: column ?? '' })}
        />
      )}
      {columns === undefined && !series.dynamic ? null : (
        <Checkbox
          label="One line per symbol"
          checked={series.dynamic}
          onChange={(dynamic) => onChange({ dynamic })}
        />
      )}
      {isSeasonal ? null : <XAxisFields series={series} columns={columns} onChange={onChange} />}
      {series.chartType === 'bars' ? (
        <Checkbox
          label="Histogram"
          checked={series.isHistogram}
          onChange={(isHistogram) => onChange({ isHistogram })}
        />
      ) : null}
      <Checkbox
        label="Reference line"
        checked={series.withReferenceLine}
        onChange={(withReferenceLine) => onChange({ withReferenceLine })}
      />
      {series.groupName === '' ? null : (
        <p className={styles.quiet}>
          {series.column} of {series.symbolList.map(symbolName).join(', ')} in {series.groupName}
        </p>
      )}
    </>
  )
}

/** A series stands over its dates, or over the numbers or dates of another column. */
function XAxisFields({
  series,
  columns,
  onChange,
}: {
  series: ChartSeries
  columns: readonly AnswerColumn[] | undefined
  onChange: (change: Partial<ChartSeries>) => void
}) {
  const { columnXAxis } = series
  const kind = columns?.find(({ name }) => name === columnXAxis)?.kind
  const zone =
    columnXAxis !== '' && !series.columnXAxisIsNumber ? (
      <Combobox
        label="Time zone of the X axis"
        value={series.columnXAxisTimezone === '' ? null : series.columnXAxisTimezone}
        placeholder="Same as the data"
        clearable
        options={allZones().map((name) => ({ value: name, label: name }))}
        onChange={(name) => onChange({ columnXAxisTimezone: name ?? '' })}
      />
    ) : null
  return (
    <>
      {columns === undefined ? (
        <TextField
          label="X axis"
          value={columnXAxis}
          placeholder="Date"
          hint={columnXAxis === '' ? undefined : 'A column of the same symbol.'}
          onChange={(name) => onChange({ columnXAxis: name, columnXAxisIsNumber: name !== '' })}
        />
      ) : (
        <Select
          label="X axis"
          value={columnXAxis}
          options={[
            { value: '', label: 'First date column' },
            ...offeredColumns(columns, ['number', 'time'], columnXAxis),
          ]}
          onChange={(name) =>
            onChange({
              columnXAxis: name ?? '',
              columnXAxisIsNumber: columns.find((column) => column.name === name)?.kind === 'number',
            })
          }
        />
      )}
      {columnXAxis !== '' && kind === undefined ? (
        <Checkbox
          label="Numeric column"
          checked={series.columnXAxisIsNumber}
          onChange={(columnXAxisIsNumber) => onChange({ columnXAxisIsNumber })}
        />
      ) : null}
      {zone}
    </>
  )
}

function offeredColumns(
  columns: readonly AnswerColumn[],
  kinds: readonly AnswerColumn['kind'][],
  chosen: string,
): { value: string; label: string }[] {
  const names = columns.flatMap(({ name, kind }) => (kinds.includes(kind) ? [name] : []))
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen]
  return [...new Set(all)].map((name) => ({ value: name, label: name }))
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
