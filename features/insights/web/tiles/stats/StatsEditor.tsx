import { useState } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { IconButton, NumberField, Select, Switch, Tabs, TextField } from '@headwater/web-kit'
import { AddButton } from '../../components/AddButton.tsx'
import styles from '../../components/Editor.module.css'
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
  statSymbols,
  type Threshold,
} from '../../../contract/tiles/stats/stats-tile.ts'

const tabs = ['Data', 'Values', 'Style'].map((name) => ({ value: name, label: name }))
const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

const levelNames: { value: Level; label: string }[] = [
  { value: 'good', label: 'Good' },
  { value: 'warn', label: 'Warning' },
  { value: 'bad', label: 'Bad' },
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
  const [tab, setTab] = useState('Data')
  const setSeries = (series: StatSeries[]) =>
    onChangeData({ ...dataPrep, symbols: statSymbols(series) }, { series })
  return (
    <>
      <Tabs label="Stats settings" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <SourceFields tile={tile} dataPrep={dataPrep} onChange={onChange}>
              <SeriesList
                series={stats.series}
                {...{ isPicking, onPicking }}
                onChange={setSeries}
                onRename={(series, topic) => onChange({ series }, topic)}
              />
              <RangeFields tile={tile} onChange={onChange} />
            </SourceFields>
          </>
        ) : null}
        {tab === 'Values' ? (
          <>
            <Select
              label="Value"
              value={stats.statistic}
              options={statisticNames}
              onChange={(statistic) => onChange({ statistic })}
            />
            <div className={styles.pair}>
              <TextField
                label="Unit"
                value={stats.unit}
                placeholder="from metadata"
                maxLength={20}
                onChange={(unit) => onChange({ unit })}
              />
              <Select
                label="Unit position"
                value={stats.unitOnFront ? 'front' : 'behind'}
                options={[
                  { value: 'behind', label: 'after' },
                  { value: 'front', label: 'before' },
                ]}
                onChange={(place) => onChange({ unitOnFront: place === 'front' })}
              />
            </div>
            {stats.statistic === 'LAST' ? (
              <>
                <div className={styles.pair}>
                  <Select
                    label="Compare with"
                    value={stats.comparison}
                    options={comparisonNames}
                    onChange={(comparison) => onChange({ comparison })}
                  />
                  {stats.comparison === 'NONE' || stats.comparison === 'RANGE_START' ? null : (
                    <NumberField
                      label="How many"
                      min={1}
                      value={stats.comparisonAmount}
                      onChange={(amount) =>
                        onChange({ comparisonAmount: Math.max(1, Math.round(amount ?? 1)) })
                      }
                    />
                  )}
                </div>
                {stats.comparison === 'NONE' ? null : (
                  <Select
                    label="An increase is"
                    value={stats.rising}
                    options={risingNames}
                    onChange={(rising) => onChange({ rising })}
                  />
                )}
              </>
            ) : null}
            <Switch
              label="Sparkline"
              checked={stats.sparkline}
              onChange={(sparkline) => onChange({ sparkline })}
            />
            <Switch
              label="Show data age"
              checked={stats.freshness}
              onChange={(freshness) => onChange({ freshness })}
            />
            {stats.freshness ? (
              <NumberField
                label="Outdated after (hours)"
                value={stats.staleHours ?? undefined}
                min={1}
                placeholder="never"
                hint="Older data is marked. Empty: never."
                onChange={(hours) =>
                  onChange({ staleHours: hours === undefined ? null : Math.max(1, hours) })
                }
              />
            ) : null}
          </>
        ) : null}
        {tab === 'Style' ? (
          <>
            {commonFields}
            <RuleFields<Threshold>
              rules={stats.conditionalFormatting}
              targets={[
                { value: 'ALL', label: 'All values' },
                ...[...new Set(statLabels(stats.series))].map((name) => ({ value: name, label: name })),
              ]}
              newRule={() => ({
                applyTo: 'ALL',
                condition: '>',
                conditionValueA: '',
                conditionValueB: '',
                level: 'warn',
                label: '',
              })}
              onChange={(conditionalFormatting, topic) => onChange({ conditionalFormatting }, topic)}
              look={(rule, set) => (
                <div className={styles.pair}>
                  <Select
                    label="Level"
                    value={rule.level}
                    options={levelNames}
                    onChange={(level) => set({ level: (level ?? 'warn') as Level })}
                  />
                  <TextField
                    label="Word"
                    value={rule.label}
                    maxLength={40}
                    placeholder={levelNames.find(({ value }) => value === rule.level)!.label}
                    onChange={(label) => set({ label })}
                  />
                </div>
              )}
            />
          </>
        ) : null}
      </div>
    </>
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
