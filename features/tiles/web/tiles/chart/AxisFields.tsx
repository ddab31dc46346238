import { LAYOUTS, UNITS } from '@headwater/charts'
import type { Tile } from '@headwater/tile-data/contract'
import { chartAxis, chartTile, maxUnit, type ChartTile } from '@headwater/tile-data/core'
import { type FormItems, SchemaForm, TextField } from '@headwater/web-kit'
import type { z } from 'zod'
import styles from '../../editor/Editor.module.css'
import { choiceLabel } from './choice-label.ts'

const schema = chartAxis
  .refine(({ log, min }) => !log || min === undefined || min > 0, {
    path: ['min'],
    error: 'A logarithmic axis must start above 0.',
  })
  .refine(({ min, max }) => min === undefined || max === undefined || min < max, {
    path: ['min'],
    error: 'The minimum must be less than the maximum.',
  })

const axes = [
  { name: 'leftAxis', side: 'Left' },
  { name: 'rightAxis', side: 'Right' },
] as const

const layout: FormItems<ChartTile> = [
  {
    field: 'layout',
    label: 'Layout',
    choices: LAYOUTS.map((value) => ({ value, label: choiceLabel(value) })),
  },
]

/** The settings of the value axes and the layout. */
export function AxisFields({
  chart,
  onChange,
}: {
  chart: ChartTile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  return (
    <>
      {axes.map(({ name, side }) => (
        <div key={name} className={styles.itemBody}>
          <p className={styles.heading}>{side} axis</p>
          <SchemaForm
            schema={schema}
            items={axisItems(side)}
            value={chart[name]}
            onChange={(change) =>
              onChange({ [name]: { ...chart[name], ...change } }, `${name} ${Object.keys(change).join()}`)
            }
          />
        </div>
      ))}
      <SchemaForm schema={chartTile} items={layout} value={chart} onChange={onChange} />
    </>
  )
}

function axisItems(side: string): FormItems<z.output<typeof chartAxis>> {
  return [
    { field: 'domain', label: `${side} value range` },
    [
      { field: 'min', label: `${side} minimum`, step: 'any', placeholder: 'automatic' },
      { field: 'max', label: `${side} maximum`, step: 'any', placeholder: 'automatic' },
    ],
    { field: 'log', label: `${side} axis logarithmic` },
    [
      { field: 'unit', label: `${side} unit`, none: 'None', choices: UNITS, keepsUnknown: true },
      {
        field: 'unit',
        label: `${side} custom unit`,
        control: ({ label, value, onChange }) => (
          <TextField
            label={label}
            value={value === undefined || UNITS.some((known) => known === value) ? '' : value}
            maxLength={maxUnit}
            placeholder="€, MWh"
            onChange={(typed) => onChange(typed || undefined)}
          />
        ),
      },
    ],
    [
      { field: 'numberFormat', label: `${side} number format` },
      { field: 'decimals', label: `${side} decimals`, placeholder: 'automatic' },
    ],
  ]
}
