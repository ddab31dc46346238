import { PALETTES, paletteColors } from '@headwater/charts'
import { useState } from 'react'
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs'
import {
  tileSourceOf,
  chartRule,
  chartTile,
  clearedChartTile,
  type ChartSeries,
  type ChartTile,
  seriesLabel,
} from '@headwater/tile-data/core'
import { Button, type FormItems, SchemaForm } from '@headwater/web-kit'
import { AddButton } from '../../editor/AddButton.tsx'
import { colourControl } from '../../editor/ColorField.tsx'
import styles from '../../editor/Editor.module.css'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { RangeFields } from '../../editor/RangeFields.tsx'
import { RuleFields } from '../../editor/RuleFields.tsx'
import { SeriesPicker, type PickedSeries } from '../../editor/SeriesPicker.tsx'
import { SourceFields } from '../../editor/SourceFields.tsx'
import { useSourceColumns } from '../../editor/use-source-columns.ts'
import type { TileEditorProps } from '../tile-view.ts'
import { AddColumnSeries } from './AddColumnSeries.tsx'
import { AxisFields } from './AxisFields.tsx'
import { chartNames } from './chart-name.ts'
import { interpolationOptions } from './interpolation-options.ts'
import { storePalette, storedPalette } from './stored-palette.ts'
import { seriesOfPicked, withSeries } from './picked-series.ts'
import { seasonItems } from './season-items.ts'
import { SeriesFields } from './SeriesFields.tsx'

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

const kindItems: FormItems<ChartTile> = [
  { field: 'basicChartType', label: 'Chart', choices: chartNames },
  { when: ({ basicChartType }) => basicChartType === 'seasonality', items: seasonItems },
]
const styleItems: FormItems<ChartTile> = [
  {
    field: 'palette',
    label: 'Palette',
    choices: palettes,
    change: (palette) => {
      storePalette(palette)
      return { palette }
    },
  },
  { field: 'interpolation', label: 'Interpolation', choices: interpolationOptions },
  {
    field: 'chartTitle',
    label: 'Title inside the chart',
    hint: 'Included in exported images. Leave empty for no title.',
    maxLength: 200,
  },
  { field: 'titleSize', label: 'Title size', when: ({ chartTitle }) => chartTitle !== '' },
  { field: 'showLegend', label: 'Legend' },
  {
    when: ({ showLegend }) => showLegend,
    items: [
      [
        { field: 'legendSize', label: 'Legend size' },
        {
          field: 'legendSorting',
          label: 'Legend order',
          none: 'As added',
          choices: { ASC: 'A to Z', DESC: 'Z to A' },
        },
      ],
    ],
  },
]

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
  const [tab, setTab] = useState<'Data' | 'Series' | 'Axes' | 'Style'>(
    chart.series.length === 0 ? 'Data' : 'Series',
  )
  const [openSeries, setOpenSeries] = useState(0)
  const setSeries = (series: ChartSeries[], topic?: string) => {
    const { fields, prep } = withSeries(series, dataPrep)
    if (topic === undefined) onChangeData(prep, fields)
    else onChange(fields, topic)
  }
  /** Opens the series that was added last. */
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
  const labels = [...new Set(chart.series.map(seriesLabel))]
  return (
    <>
      <EditorTabs
        label="Chart settings"
        open={tab}
        onOpen={setTab}
        tabs={{
          Data: (
            <>
              <SchemaForm schema={chartTile} items={kindItems} value={chart} onChange={onChange} />
              <SourceFields tile={tile} dataPrep={dataPrep} typed={false} onChange={onChange}>
                {addButton}
                <RangeFields tile={tile} onChange={onChange} />
              </SourceFields>
              {source.isOwn ? null : addButton}
              <Button
                variant="quiet"
                icon={<IconEraser size={16} stroke={1.6} />}
                onClick={() =>
                  onReplace({ ...clearedChartTile(tile), palette: storedPalette() }, { symbols: [] })
                }
              >
                Clear the chart
              </Button>
            </>
          ),
          Series: (
            <>
              {chart.series.length === 0 ? (
                <p className={styles.quiet}>This chart has no series yet.</p>
              ) : null}
              <SeriesFields
                chart={chart}
                columns={source.isOwn ? undefined : source.columns}
                open={openSeries}
                onOpen={setOpenSeries}
                onChange={setSeries}
              />
              {addButton}
            </>
          ),
          Axes: <AxisFields chart={chart} onChange={onChange} />,
          Style: (
            <>
              {commonFields}
              <p className={styles.heading}>Chart</p>
              <SchemaForm schema={chartTile} items={styleItems} value={chart} onChange={onChange} />
              <RuleFields
                schema={chartRule}
                rules={chart.conditionalFormatting}
                offered={numericConditions}
                targets={[
                  { value: 'ALL', label: 'All series' },
                  ...labels.map((value) => ({ value, label: value })),
                ]}
                newRule={() => chartRule.parse({ condition: '>', color: '--series-4' })}
                onChange={(conditionalFormatting, topic) => onChange({ conditionalFormatting }, topic)}
                look={[{ field: 'color', label: 'Colour', control: colourControl }]}
              />
            </>
          ),
        }}
      />
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
