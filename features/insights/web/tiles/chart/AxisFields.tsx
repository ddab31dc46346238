import { AXIS_DOMAINS, LAYOUTS, NUMBER_FORMATS, UNITS } from '@headwater/charts'
import { NumberField, Select, Switch, TextField } from '@headwater/web-kit'
import type { Tile } from '../../../contract/index.ts'
import styles from '../../components/Editor.module.css'
import { maxUnit, type ChartTile } from './chart-tile.ts'
import { choiceLabel } from './choice-label.ts'

const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

/** The settings of the value axes, and which way x runs. */
export function AxisFields({
  chart,
  onChange,
}: {
  chart: ChartTile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  return (
    <>
      {(['leftAxis', 'rightAxis'] as const).map((name) => {
        const side = name === 'leftAxis' ? 'Left' : 'Right'
        const set = (fields: Partial<ChartTile['leftAxis']>, topic?: string) =>
          onChange({ [name]: { ...chart[name], ...fields } }, topic && `${name} ${topic}`)
        const { unit = '' } = chart[name]
        const isOther = unit !== '' && !UNITS.some((known) => known === unit)
        return (
          <div key={name} className={styles.itemBody}>
            <p className={styles.heading}>{side} axis</p>
            <Select
              label={`${side} value range`}
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
                value={unit}
                options={[{ value: '', label: 'None' }, ...same(isOther ? [...UNITS, unit] : UNITS)]}
                onChange={(chosen) => set({ unit: chosen || undefined })}
              />
              <TextField
                label={`${side} custom unit`}
                value={isOther ? unit : ''}
                maxLength={maxUnit}
                placeholder="€, MWh"
                onChange={(typed) => set({ unit: typed || undefined }, 'unit')}
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
        options={LAYOUTS.map((value) => ({ value, label: choiceLabel(value) }))}
        onChange={(layout) => onChange({ layout })}
      />
    </>
  )
}

/** Why the ends that are set do not count. */
function endsProblem({ min, max, log }: ChartTile['leftAxis']): string | undefined {
  if (log && min !== undefined && min <= 0) return 'A logarithmic axis begins above 0.'
  if (min !== undefined && max !== undefined && min >= max)
    return 'The minimum must be less than the maximum.'
  return undefined
}
