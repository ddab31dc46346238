import {
  labelOf,
  statLabels,
  type Level,
  type StatSeries,
  statsTile,
  type StatsTile,
  statSymbols,
  threshold,
  type Threshold,
} from '@headwater/tile-data/core'
import { type FormItems, SchemaForm, TextField } from '@headwater/web-kit'
import { AddButton } from '../../editor/AddButton.tsx'
import styles from '../../editor/Editor.module.css'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { ListTools } from '../../editor/ListTools.tsx'
import { RangeFields } from '../../editor/RangeFields.tsx'
import { RuleFields } from '../../editor/RuleFields.tsx'
import { SeriesPicker, type PickedSeries } from '../../editor/SeriesPicker.tsx'
import { SourceFields } from '../../editor/SourceFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { comparisonNames, risingNames, statisticNames } from './stat-names.ts'

const levelNames: Readonly<Record<Level, string>> = { good: 'Good', warn: 'Warning', bad: 'Bad' }

const items: FormItems<StatsTile> = [
  { field: 'statistic', label: 'Value', choices: statisticNames },
  [
    { field: 'unit', label: 'Unit', placeholder: 'from metadata', maxLength: 20 },
    {
      field: 'unitOnFront',
      label: 'Unit position',
      choices: { false: 'after', true: 'before' },
    },
  ],
  {
    when: ({ statistic }) => statistic === 'LAST',
    items: [
      [
        { field: 'comparison', label: 'Compare with', choices: comparisonNames },
        {
          field: 'comparisonAmount',
          label: 'Number of periods',
          when: ({ comparison }) => comparison !== 'NONE' && comparison !== 'RANGE_START',
        },
      ],
      {
        field: 'rising',
        label: 'An increase is',
        choices: risingNames,
        when: ({ comparison }) => comparison !== 'NONE',
      },
    ],
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
  [
    { field: 'level', label: 'Level', choices: levelNames },
    { field: 'label', label: 'Label', maxLength: 40, placeholder: ({ level }) => levelNames[level] },
  ],
]

/** The settings of a stats tile. */
export default function StatsEditor({
  tile,
  dataPrep,
  onChange,
  onChangeData,
  isPicking,
  onPicking,
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
              {...{ isPicking, onPicking }}
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
  isPicking,
  onPicking,
  onChange,
  onRename,
}: Pick<TileEditorProps, 'isPicking' | 'onPicking'> & {
  series: readonly StatSeries[]
  onChange: (series: StatSeries[]) => void
  onRename: (series: StatSeries[], topic: string) => void
}) {
  function add(picked: PickedSeries[]) {
    onPicking(false)
    onChange([...series, ...picked.map((each) => ({ ...each, label: '' }))])
  }
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
              <ListTools
                list={series}
                index={index}
                labels={{ up: `Move ${name} up`, down: `Move ${name} down`, remove: `Remove ${name}` }}
                onChange={(next) => onChange(next)}
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
      <AddButton onClick={() => onPicking(true)}>Add series</AddButton>
      <SeriesPicker
        open={isPicking}
        groupName={series.at(-1)?.groupName}
        onClose={() => onPicking(false)}
        onPick={add}
      />
    </div>
  )
}
