import { useState } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type FormItems, IconButton, SchemaForm, Select, TextField } from '@headwater/web-kit'
import { AddButton } from '../../components/AddButton.tsx'
import styles from '../../components/Editor.module.css'
import { EditorTabs } from '../../components/EditorTabs.tsx'
import { RangeFields } from '../../components/RangeFields.tsx'
import { RuleFields } from '../../components/RuleFields.tsx'
import { SeriesPicker, type PickedSeries } from '../../components/SeriesPicker.tsx'
import { SourceFields } from '../../sources/SourceFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { comparisonNames, risingNames, statisticNames } from './stat-names.ts'
import { labelOf, statLabels } from '../../../contract/tiles/stats/stat-values.ts'
import {
  type Level,
  type StatSeries,
  statsTile,
  type StatsTile,
  statSymbols,
  threshold,
  type Threshold,
} from '../../../contract/tiles/stats/stats-tile.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

const levelNames: Readonly<Record<Level, string>> = { good: 'Good', warn: 'Warning', bad: 'Bad' }

const isLast = ({ statistic }: StatsTile) => statistic === 'LAST'
const items: FormItems<StatsTile> = [
  { field: 'statistic', label: 'Value', choices: statisticNames },
  {
    row: [
      { field: 'unit', label: 'Unit', placeholder: 'from metadata', maxLength: 20 },
      {
        field: 'unitOnFront',
        label: 'Unit position',
        control: ({ label, value, onChange }) => (
          <Select
            label={label}
            value={value ? 'front' : 'behind'}
            options={[
              { value: 'behind', label: 'after' },
              { value: 'front', label: 'before' },
            ]}
            onChange={(place) => onChange(place === 'front')}
          />
        ),
      },
    ],
  },
  {
    row: [
      { field: 'comparison', label: 'Compare with', choices: comparisonNames },
      {
        field: 'comparisonAmount',
        label: 'How many',
        when: ({ comparison }) => comparison !== 'NONE' && comparison !== 'RANGE_START',
      },
    ],
    when: isLast,
  },
  {
    field: 'rising',
    label: 'An increase is',
    choices: risingNames,
    when: (stats) => isLast(stats) && stats.comparison !== 'NONE',
  },
  { field: 'sparkline', label: 'Sparkline' },
  { field: 'freshness', label: 'Show data age' },
  {
    field: 'staleHours',
    label: 'Outdated after',
    min: 1,
    placeholder: 'never',
    hint: 'Older data is marked. Empty: never.',
    when: ({ freshness }) => freshness,
  },
]
const look: FormItems<Threshold> = [
  {
    row: [
      { field: 'level', label: 'Level', choices: levelNames },
      { field: 'label', label: 'Word', maxLength: 40, placeholder: ({ level }) => levelNames[level] },
    ],
  },
]

/** The settings of a stats tile. */
export default function StatsEditor({
  tile,
  dataPrep,
  onChange,
  onChangeData,
  commonFields,
}: TileEditorProps) {
  const stats = statsTile.parse(tile)
  const setSeries = (series: StatSeries[]) =>
    onChangeData({ ...dataPrep, symbols: statSymbols(series) }, { series })
  return (
    <EditorTabs
      label="Stats settings"
      tabs={{
        Data: (
          <SourceFields tile={tile} dataPrep={dataPrep} onChange={onChange}>
            <SeriesList
              series={stats.series}
              onChange={setSeries}
              onRename={(series, topic) => onChange({ series }, topic)}
            />
            <RangeFields tile={tile} onChange={onChange} />
          </SourceFields>
        ),
        Values: <SchemaForm schema={statsTile} items={items} value={stats} onChange={onChange} />,
        Style: (
          <>
            {commonFields}
            <RuleFields
              schema={threshold}
              rules={stats.conditionalFormatting}
              targets={[
                { value: 'ALL', label: 'All values' },
                ...[...new Set(statLabels(stats.series))].map((name) => ({ value: name, label: name })),
              ]}
              newRule={() => threshold.parse({ condition: '>' })}
              onChange={(conditionalFormatting, topic) => onChange({ conditionalFormatting }, topic)}
              look={look}
            />
          </>
        ),
      }}
    />
  )
}

function SeriesList({
  series,
  onChange,
  onRename,
}: {
  series: readonly StatSeries[]
  onChange: (series: StatSeries[]) => void
  onRename: (series: StatSeries[], topic: string) => void
}) {
  const [picking, setPicking] = useState(false)
  function add(picked: PickedSeries[]) {
    setPicking(false)
    onChange([...series, ...picked.map((each) => ({ ...each, label: '' }))])
  }
  const move = (from: number, by: number) =>
    onChange(series.toSpliced(from, 1).toSpliced(from + by, 0, series[from]!))
  const labels = statLabels(series)
  return (
    <div className={styles.stack}>
      <p className={styles.heading}>Series</p>
      {series.map((each, index) => {
        const name = labels[index]!
        return (
          <fieldset key={index} className={styles.rule} aria-label={name}>
            <div className={styles.row}>
              <span className={styles.quiet} title={`${each.groupName}: ${each.column}`}>
                {labelOf({ ...each, label: '' })} · {each.column}
              </span>
              <IconButton
                label={`Move ${name} up`}
                icon={<IconArrowUp {...icon} />}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              />
              <IconButton
                label={`Move ${name} down`}
                icon={<IconArrowDown {...icon} />}
                disabled={index === series.length - 1}
                onClick={() => move(index, 1)}
              />
              <IconButton
                label={`Remove ${name}`}
                icon={<IconTrash {...icon} />}
                onClick={() => onChange(series.toSpliced(index, 1))}
              />
            </div>
            <TextField
              label="Label"
              value={each.label}
              maxLength={100}
              placeholder={statLabels(series.with(index, { ...each, label: '' }))[index]}
              onChange={(label) => onRename(series.with(index, { ...each, label }), `label ${index}`)}
            />
          </fieldset>
        )
      })}
      <AddButton onClick={() => setPicking(true)}>Add series</AddButton>
      <SeriesPicker
        open={picking}
        groupName={series.at(-1)?.groupName}
        onClose={() => setPicking(false)}
        onPick={add}
      />
    </div>
  )
}
