import {
  AXIS_DOMAINS,
  LAYOUTS,
  LEGEND_SIZES,
  NUMBER_FORMATS,
  PALETTES,
  paletteColors,
  SEASON_STARTS,
  TITLE_SIZES,
  UNITS,
} from '@headwater/charts'
import { useState } from 'react'
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs'
import { Button, NumberField, Select, Switch, Tabs, TextField } from '@headwater/web-kit'
import { AddButton } from '../../components/AddButton.tsx'
import type { Tile } from '../../../contract/index.ts'
import { ColorField } from '../../components/ColorField.tsx'
import styles from '../../components/Editor.module.css'
import { RangeFields } from '../../components/RangeFields.tsx'
import { RuleFields } from '../../components/RuleFields.tsx'
import { SeriesPicker, type PickedSeries } from '../../components/SeriesPicker.tsx'
import { SourceFields } from '../../sources/SourceFields.tsx'
import { tileSourceOf } from '../../../contract/sources/tile-source.ts'
import { useSourceColumns } from '../../sources/use-source-columns.ts'
import type { TileEditorProps } from '../tile-view.ts'
import { AddColumnSeries } from './AddColumnSeries.tsx'
import { chartNames } from './chart-name.ts'
import { choiceLabel } from './choice-label.ts'
import {
  chartTile,
  clearedChartTile,
  maxSeasonLines,
  maxUnit,
  type ChartRule,
  type ChartSeries,
} from './chart-tile.ts'
import { interpolationOptions } from './interpolation-options.ts'
import { keepPalette, keptPalette } from './kept-palette.ts'
import { seriesLabel } from '../../../contract/tiles/chart/chart-points.ts'
import { seriesOfPicked, withSeries } from './picked-series.ts'
import { SeriesFields } from './SeriesFields.tsx'

const tabs = ['Data', 'Series', 'Axes', 'Style'].map((name) => ({ value: name, label: name }))
const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
const called = (values: readonly string[]) => values.map((value) => ({ value, label: choiceLabel(value) }))
const paletteNames = {
  COLORFUL_2: 'Colorful 2',
  BLUE: 'Blue',
  COLORFUL_1: 'Colorful 1',
  GREEN: 'Green',
  RED: 'Red',
}
const palettes = PALETTES.map((value) => ({
  value,
  label: paletteNames[value],
  swatches: paletteColors(value).slice(0, 5),
}))
const numericConditions = ['>', '>=', '<', '<=', '==', '!=', 'between', 'not between'] as const

/** The settings of a chart. */
export default function ChartEditor({
  tile,
  dataPrep,
  onChange,
  onChangeData,
  onReplace,
  commonFields,
}: TileEditorProps) {
  const chart = chartTile.parse(tile)
  const [tab, setTab] = useState(chart.series.length === 0 ? 'Data' : 'Series')
  const [openSeries, setOpenSeries] = useState(0)
  const [picking, setPicking] = useState(false)
  const change = (fields: Partial<Tile>, topic?: string) => onChange(fields, topic)
  const setSeries = (series: ChartSeries[], topic?: string) => {
    const { fields, prep } = withSeries(series, dataPrep)
    if (topic === undefined) onChangeData(prep, fields)
    else onChange(fields, topic)
  }
  /** What was added last is what one goes on with. */
  function append(added: ChartSeries[]) {
    const series = [...chart.series, ...added]
    setSeries(series)
    setOpenSeries(series.length - 1)
    setTab('Series')
  }
  function add(picked: PickedSeries[], combined: boolean) {
    setPicking(false)
    append(seriesOfPicked(picked, combined))
  }
  const source = useSourceColumns(tile, dataPrep)
  const addButton = source.isOwn ? (
    <AddButton onClick={() => setPicking(true)}>Add series</AddButton>
  ) : tileSourceOf(tile, dataPrep).kind === 'basket' ? null : (
    <AddColumnSeries source={source} onAdd={(series) => append([series])} />
  )
  return (
    <>
      <Tabs label="Chart settings" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <Select
              label="Chart"
              value={chart.basicChartType}
              options={[
                { value: 'composed', label: chartNames.composed },
                { value: 'seasonality', label: chartNames.seasonality },
              ]}
              onChange={(basicChartType) => change({ basicChartType: basicChartType ?? 'composed' })}
            />
            {chart.basicChartType === 'seasonality' ? <SeasonFields chart={chart} onChange={change} /> : null}
            <SourceFields tile={tile} dataPrep={dataPrep} typed={false} onChange={change}>
              <RangeFields tile={tile} onChange={change} />
            </SourceFields>
            {addButton}
            <Button
              variant="quiet"
              icon={<IconEraser size={16} stroke={1.6} />}
              onClick={() =>
                onReplace({ ...clearedChartTile(tile), palette: keptPalette() }, { symbols: [] })
              }
            >
              Clear the chart
            </Button>
          </>
        ) : null}
        {tab === 'Series' ? (
          <>
            {chart.series.length === 0 ? <p className={styles.quiet}>This chart has no series yet.</p> : null}
            <SeriesFields
              chart={chart}
              columns={source.isOwn ? undefined : source.columns}
              open={openSeries}
              onOpen={setOpenSeries}
              onChange={setSeries}
            />
            {addButton}
          </>
        ) : null}
        {tab === 'Axes' ? <AxisFields chart={chart} onChange={change} /> : null}
        {tab === 'Style' ? (
          <>
            {commonFields}
            <StyleFields chart={chart} onChange={change} />
          </>
        ) : null}
      </div>
      <SeriesPicker
        open={picking}
        groupName={dataPrep.symbols.at(-1)?.groupName}
        combinable
        onClose={() => setPicking(false)}
        onPick={add}
      />
    </>
  )
}

type Chart = ReturnType<typeof chartTile.parse>
interface FieldsProps {
  chart: Chart
  onChange: (fields: Partial<Tile>, topic?: string) => void
}

function SeasonFields({ chart, onChange }: FieldsProps) {
  return (
    <>
      <Select
        label="First month of the year"
        value={chart.seasonality}
        options={same(SEASON_STARTS)}
        onChange={(seasonality) => onChange({ seasonality })}
      />
      <Switch
        label="Five-year range"
        hint="A band from the lowest to the highest value of the five years before the newest one. It needs at least two of them."
        checked={chart.seasonRange}
        onChange={(seasonRange) =>
          onChange({
            seasonRange,
            // All years as lines would hide the band.
            ...(seasonRange && chart.seasonLines === undefined ? { seasonLines: linesOverRange } : {}),
          })
        }
      />
      <Switch
        label="Five-year average"
        checked={chart.seasonAverage}
        onChange={(seasonAverage) => onChange({ seasonAverage })}
      />
      <NumberField
        label="Newest years as lines"
        value={chart.seasonLines}
        min={1}
        max={maxSeasonLines}
        placeholder="all"
        onChange={(lines) =>
          onChange(
            {
              seasonLines:
                lines === undefined ? undefined : Math.min(maxSeasonLines, Math.max(1, Math.round(lines))),
            },
            'seasonLines',
          )
        }
      />
    </>
  )
}

/** How many years are lines once the range is switched on: the newest one, and the one before to compare it with. */
const linesOverRange = 2

function AxisFields({ chart, onChange }: FieldsProps) {
  const units = [{ value: '', label: 'None' }, ...same(UNITS)]
  return (
    <>
      {(['leftAxis', 'rightAxis'] as const).map((name) => {
        const side = name === 'leftAxis' ? 'Left' : 'Right'
        const set = (fields: Partial<Chart['leftAxis']>, topic?: string) =>
          onChange({ [name]: { ...chart[name], ...fields } }, topic && `${name} ${topic}`)
        return (
          <div key={name} className={styles.itemBody}>
            <p className={styles.heading}>{side} axis</p>
            <Select
              label={`${side} range of values`}
              value={chart[name].domain}
              options={same(AXIS_DOMAINS)}
              onChange={(domain) =>
                set({ domain: AXIS_DOMAINS.find((known) => known === domain) ?? 'Default' })
              }
            />
            <div className={styles.pair}>
              <NumberField
                label={`${side} minimum`}
                value={chart[name].min}
                step="any"
                placeholder="automatic"
                error={endsProblem(chart[name])}
                onChange={(min) => set({ min }, 'min')}
              />
              <NumberField
                label={`${side} maximum`}
                value={chart[name].max}
                step="any"
                placeholder="automatic"
                onChange={(max) => set({ max }, 'max')}
              />
            </div>
            <Switch
              label={`${side} axis logarithmic`}
              checked={chart[name].log}
              onChange={(log) => set({ log })}
            />
            <div className={styles.pair}>
              <Select
                label={`${side} unit`}
                value={UNITS.find((unit) => unit === chart[name].unit) ?? ''}
                options={units}
                onChange={(unit) => set({ unit: unit || undefined })}
              />
              <TextField
                label={`${side} unit, other`}
                value={UNITS.some((unit) => unit === chart[name].unit) ? '' : (chart[name].unit ?? '')}
                maxLength={maxUnit}
                placeholder="€, MWh"
                onChange={(unit) => set({ unit: unit || undefined }, 'unit')}
              />
            </div>
            <div className={styles.pair}>
              <Select
                label={`${side} number format`}
                value={chart[name].numberFormat}
                options={same(NUMBER_FORMATS)}
                onChange={(numberFormat) =>
                  set({ numberFormat: NUMBER_FORMATS.find((known) => known === numberFormat) ?? 'Automatic' })
                }
              />
              <NumberField
                label={`${side} decimals`}
                value={chart[name].decimals}
                min={0}
                max={10}
                placeholder="automatic"
                onChange={(decimals) =>
                  set(
                    {
                      decimals:
                        decimals === undefined ? undefined : Math.min(10, Math.max(0, Math.round(decimals))),
                    },
                    'decimals',
                  )
                }
              />
            </div>
          </div>
        )
      })}
      <Select
        label="Layout"
        value={chart.layout}
        options={called(LAYOUTS)}
        onChange={(layout) => onChange({ layout })}
      />
    </>
  )
}

/** Why the ends that are set do not count. */
function endsProblem({ min, max, log }: Chart['leftAxis']): string | undefined {
  if (log && min !== undefined && min <= 0) return 'A logarithmic axis begins above 0.'
  if (min !== undefined && max !== undefined && min >= max)
    return 'The minimum must be less than the maximum.'
  return undefined
}

function StyleFields({ chart, onChange }: FieldsProps) {
  const labels = [...new Set(chart.series.map(seriesLabel))]
  return (
    <>
      <p className={styles.heading}>Chart</p>
      <Select
        label="Palette"
        value={chart.palette}
        options={palettes}
        onChange={(value) => {
          const palette = PALETTES.find((name) => name === value)
          if (palette === undefined) return
          keepPalette(palette)
          onChange({ palette })
        }}
      />
      <Select
        label="Interpolation"
        value={chart.interpolation}
        options={interpolationOptions}
        onChange={(interpolation) => onChange({ interpolation })}
      />
      <TextField
        label="Chart title"
        value={chart.chartTitle}
        maxLength={200}
        onChange={(chartTitle) => onChange({ chartTitle })}
      />
      {chart.chartTitle === '' ? null : (
        <Select
          label="Title size"
          value={chart.titleSize}
          options={same(TITLE_SIZES)}
          onChange={(titleSize) => onChange({ titleSize })}
        />
      )}
      <Switch label="Legend" checked={chart.showLegend} onChange={(showLegend) => onChange({ showLegend })} />
      {chart.showLegend ? (
        <div className={styles.pair}>
          <Select
            label="Legend size"
            value={chart.legendSize}
            options={same(LEGEND_SIZES)}
            onChange={(legendSize) => onChange({ legendSize })}
          />
          <Select
            label="Legend order"
            value={chart.legendSorting ?? ''}
            options={[
              { value: '', label: 'As added' },
              { value: 'ASC', label: 'A to Z' },
              { value: 'DESC', label: 'Z to A' },
            ]}
            onChange={(legendSorting) => onChange({ legendSorting: legendSorting || undefined })}
          />
        </div>
      ) : null}
      <RuleFields<ChartRule>
        rules={chart.conditionalFormatting}
        offered={numericConditions}
        targets={[{ value: 'ALL', label: 'All series' }, ...same(labels)]}
        newRule={() => ({
          applyTo: 'ALL',
          condition: '>',
          conditionValueA: '',
          conditionValueB: '',
          color: '--series-4',
        })}
        onChange={(conditionalFormatting, topic) => onChange({ conditionalFormatting }, topic)}
        look={(rule, set) => (
          <ColorField label="Colour" value={rule.color} onChange={(color) => set({ color })} />
        )}
      />
    </>
  )
}
