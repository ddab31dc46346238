import {
  symbolName,
  type ResultColumn,
  defaultMovingAverage,
  seriesLabel,
  seriesColors,
  chartSeries,
  type ChartSeries,
  type ChartTile,
} from '@headwater/tile-data/core'
import { allZones } from '@headwater/zones'
import { axisFactor, OPERATIONS } from '@headwater/charts/values'
import { type FormChange, type FormItem, type FormItems, SchemaForm, Select } from '@headwater/web-kit'
import { ColorField } from '../../editor/ColorField.tsx'
import styles from '../../editor/Editor.module.css'
import { FoldedItem } from '../../editor/FoldedItem.tsx'
import { ListTools } from '../../editor/ListTools.tsx'
import { interpolationOptions } from './interpolation-options.ts'

const averages = [3, 5, 7, 10, 14, 20, 30, 50, 90, 100, 200]

/** The settings of the series of a chart. One of them is open. */
export function SeriesFields({
  chart,
  columns,
  open,
  onOpen,
  onChange,
}: {
  chart: ChartTile
  /** The columns of the data if it comes from another source. */
  columns: readonly ResultColumn[] | undefined
  /** Index of the open series; -1 for none. */
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
    return (
      <FoldedItem
        key={index}
        name={name}
        color={colors[index]}
        open={isOpen}
        onToggle={() => onOpen(isOpen ? -1 : index)}
      >
        <SchemaForm
          schema={chartSeries}
          items={seriesItems({
            columns,
            automaticColor: automatic[index]!,
            isSeasonal: chart.basicChartType === 'seasonality',
          })}
          value={each}
          onChange={(change) =>
            onChange(
              series.with(index, { ...each, ...change }),
              `series ${index} ${Object.keys(change).join()}`,
            )
          }
        />
        <div className={styles.tools}>
          <ListTools
            list={series}
            index={index}
            labels={{
              up: 'Move up',
              down: 'Move down',
              duplicate: `Duplicate ${seriesLabel(each)}`,
              remove: `Remove ${seriesLabel(each)}`,
            }}
            onChange={(next, at) => {
              onChange(next)
              onOpen(at)
            }}
          />
        </div>
      </FoldedItem>
    )
  })
}

function seriesItems({
  columns,
  automaticColor,
  isSeasonal,
}: {
  columns: readonly ResultColumn[] | undefined
  automaticColor: string
  isSeasonal: boolean
}): FormItems<ChartSeries> {
  const isLine = ({ chartType }: ChartSeries) => chartType === 'line' || chartType === 'area'
  const isScatter = ({ chartType }: ChartSeries) => chartType === 'scatter'
  const colour: FormItem<ChartSeries> = {
    field: 'color',
    label: 'Colour',
    control: (props) => <ColorField {...props} automatic={automaticColor} />,
  }
  return [
    { field: 'label', label: 'Label', maxLength: 200 },
    [
      {
        field: 'chartType',
        label: 'Kind',
        choices: { line: 'Line', area: 'Area', bars: 'Bars', scatter: 'Scatter' },
      },
      { field: 'axis', label: 'Axis', choices: { automatic: 'Automatic', left: 'Left', right: 'Right' } },
    ],
    {
      note: `Automatic: right if its values are ${axisFactor} times larger or smaller than those of the first series on the left.`,
      when: ({ axis }) => axis === 'automatic',
    },
    {
      when: isLine,
      items: [
        [
          { field: 'lineThickness', label: 'Thickness', step: 0.1 },
          { field: 'lineStyle', label: 'Line', choices: { SOLID: 'Solid', DASHED: 'Dashed' } },
        ],
      ],
    },
    [
      { field: 'lineOpacity', label: 'Opacity', step: 0.1 },
      { field: 'dotSize', label: 'Dot size', when: isScatter },
      { ...colour, when: (series) => !isScatter(series) && !isSeasonal },
    ],
    { ...colour, when: (series) => isScatter(series) && !isSeasonal },
    { part: (series, set) => <AverageField series={series} onChange={set} /> },
    {
      field: 'interpolation',
      label: 'Interpolation',
      none: 'Chart default',
      choices: interpolationOptions,
      when: isLine,
    },
    {
      field: 'operation',
      label: 'Duplicate dates',
      choices: OPERATIONS.map((value) => ({ value, label: value === 'SUM' ? 'Sum' : value })),
    },
    {
      field: 'column',
      label: 'Column',
      choices: namesOf(columns, ['number', 'text']),
      keepsUnknown: true,
      when: () => columns !== undefined,
    },
    {
      field: 'dynamic',
      label: 'One line per symbol',
      as: 'checkbox',
      when: ({ dynamic }) => columns !== undefined || dynamic,
    },
    ...(isSeasonal ? [] : xAxisItems(columns)),
    {
      field: 'isHistogram',
      label: 'Histogram',
      as: 'checkbox',
      when: ({ chartType }) => chartType === 'bars',
    },
    { field: 'withReferenceLine', label: 'Reference line', as: 'checkbox' },
    {
      note: ({ column, symbolList, groupName }) =>
        `${column} of ${symbolList.map(symbolName).join(', ')} in ${groupName}`,
      when: ({ groupName }) => groupName !== '',
    },
  ]
}

/** The x axis of a series: its dates, or the numbers or dates of another column. */
function xAxisItems(columns: readonly ResultColumn[] | undefined): FormItems<ChartSeries> {
  return [
    columns === undefined
      ? {
          field: 'columnXAxis',
          label: 'X axis',
          placeholder: 'Date',
          hint: ({ columnXAxis }) => (columnXAxis === '' ? undefined : 'A column of the same symbol.'),
          change: (columnXAxis) => ({ columnXAxis, columnXAxisIsNumber: columnXAxis !== '' }),
        }
      : {
          field: 'columnXAxis',
          label: 'X axis',
          none: 'First date column',
          choices: namesOf(columns, ['number', 'time']),
          keepsUnknown: true,
          change: (columnXAxis) => ({
            columnXAxis,
            columnXAxisIsNumber: columns.find(({ name }) => name === columnXAxis)?.kind === 'number',
          }),
        },
    {
      field: 'columnXAxisIsNumber',
      label: 'Numeric column',
      as: 'checkbox',
      when: ({ columnXAxis }) => columnXAxis !== '' && !columns?.some(({ name }) => name === columnXAxis),
    },
    {
      field: 'columnXAxisTimezone',
      label: 'Time zone of the X axis',
      as: 'combobox',
      placeholder: 'Same as the data',
      clearable: true,
      choices: allZones,
      when: ({ columnXAxis, columnXAxisIsNumber }) => columnXAxis !== '' && !columnXAxisIsNumber,
    },
  ]
}

/** The window of the moving average. A stored value that is not in the list stays available. */
function AverageField({
  series: { movingAverage, movingAverageValue },
  onChange,
}: {
  series: ChartSeries
  onChange: (change: FormChange<ChartSeries>) => void
}) {
  const sizes = averages.includes(movingAverageValue) ? averages : [...averages, movingAverageValue]
  return (
    <Select
      label="Moving average"
      value={movingAverage ? String(movingAverageValue) : '0'}
      options={[
        { value: '0', label: 'Off' },
        ...sizes.map((size) => ({ value: String(size), label: `${size} values` })),
      ]}
      onChange={(choice) =>
        onChange({
          movingAverage: choice !== '0',
          movingAverageValue: choice === '0' || choice === null ? defaultMovingAverage : Number(choice),
        })
      }
    />
  )
}

/** The names of the columns of these kinds, each once. */
function namesOf(
  columns: readonly ResultColumn[] | undefined,
  kinds: readonly ResultColumn['kind'][],
): string[] {
  return [...new Set(columns?.flatMap(({ name, kind }) => (kinds.includes(kind) ? [name] : [])))]
}
