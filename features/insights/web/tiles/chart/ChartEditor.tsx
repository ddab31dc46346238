import { LEGEND_SIZES, PALETTES, paletteColors, TITLE_SIZES } from '@headwater/charts'
import { useState } from 'react'
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs'
import { Button, Select, Switch, Tabs, TextField } from '@headwater/web-kit'
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
import { AxisFields } from './AxisFields.tsx'
import { chartNames } from './chart-name.ts'
import { chartTile, clearedChartTile, type ChartRule, type ChartSeries } from './chart-tile.ts'
import { interpolationOptions } from './interpolation-options.ts'
import { keepPalette, keptPalette } from './kept-palette.ts'
import { seriesLabel } from '../../../contract/tiles/chart/chart-points.ts'
import { seriesOfPicked, withSeries } from './picked-series.ts'
import { SeasonFields } from './SeasonFields.tsx'
import { SeriesFields } from './SeriesFields.tsx'

const tabs = ['Data', 'Series', 'Axes', 'Style'].map((name) => ({ value: name, label: name }))
const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
const paletteNames = {
  COLORFUL_2: 'Colourful 2',
  BLUE: 'Blue',
  COLORFUL_1: 'Colourful 1',
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
  isPicking,
  onPicking,
  commonFields,
}: TileEditorProps) {
  const chart = chartTile.parse(tile)
  const [tab, setTab] = useState(chart.series.length === 0 ? 'Data' : 'Series')
  const [openSeries, setOpenSeries] = useState(0)
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
    onPicking(false)
    append(seriesOfPicked(picked, combined))
  }
  const source = useSourceColumns(tile, dataPrep)
  const addButton = source.isOwn ? (
    <AddButton onClick={() => onPicking(true)}>Add series</AddButton>
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
              {addButton}
              <RangeFields tile={tile} onChange={change} />
            </SourceFields>
            {source.isOwn ? null : addButton}
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
        open={isPicking}
        groupName={dataPrep.symbols.at(-1)?.groupName}
        combinable
        onClose={() => onPicking(false)}
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
        label="Title inside the chart"
        value={chart.chartTitle}
        hint="Part of the chart, and of pictures saved from it. Empty: no title inside."
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
