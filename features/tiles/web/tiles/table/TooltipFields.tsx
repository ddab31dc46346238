import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Tile } from '@headwater/tile-data/contract'
import {
  conditionLabel,
  conditions,
  tooltipEntry,
  type TableTile,
  type TooltipEntry,
} from '@headwater/tile-data/core'
import { Checkbox, type FormChange, type FormItems, IconButton, SchemaForm, Select } from '@headwater/web-kit'
import { colourControl } from '../../editor/ColorField.tsx'
import { ConditionValues } from '../../editor/ConditionValues.tsx'
import styles from '../../editor/Editor.module.css'

const items: FormItems<TooltipEntry> = [
  [
    { field: 'label', label: 'Label', placeholder: ({ value }) => value, maxLength: 200 },
    { field: 'color', label: 'Colour', control: colourControl },
  ],
  {
    field: 'condition',
    label: 'Show when value is',
    none: 'Anything',
    choices: conditions.map((value) => ({ value, label: conditionLabel(value) })),
  },
  { part: (entry, set) => <ConditionValues stored={entry} onChange={set} /> },
]

/** The settings of the tooltip of a row. */
export function TooltipFields({
  table,
  names,
  onChange,
}: {
  table: TableTile
  names: readonly { value: string; label: string }[]
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  const entries = table.tooltipConfig
  const free = names.filter(({ value }) => entries.every((entry) => entry.value !== value))
  return (
    <>
      <p className={styles.heading}>Tooltip of a row</p>
      {entries.map((entry, index) => {
        const set = (change: FormChange<TooltipEntry>) =>
          onChange(
            { tooltipConfig: entries.with(index, { ...entry, ...change }) },
            `tooltip ${index} ${Object.keys(change).join()}`,
          )
        return (
          <fieldset key={entry.value} className={styles.rule} aria-label={`Tooltip line ${index + 1}`}>
            <div className={styles.row}>
              <Checkbox
                label={entry.value}
                checked={entry.showInTooltip}
                onChange={(showInTooltip) => set({ showInTooltip })}
              />
              <IconButton
                label={`Remove ${entry.value} from the tooltip`}
                icon={<IconTrash size={16} stroke={1.6} />}
                onClick={() => onChange({ tooltipConfig: entries.toSpliced(index, 1) })}
              />
            </div>
            <SchemaForm schema={tooltipEntry} items={items} value={entry} onChange={set} />
          </fieldset>
        )
      })}
      {free.length === 0 ? null : (
        <Select
          label="Add a column to the tooltip"
          hideLabel
          value={null}
          placeholder="Add a column"
          options={free}
          onChange={(value) => {
            if (value !== null) onChange({ tooltipConfig: [...entries, tooltipEntry.parse({ value })] })
          }}
        />
      )}
    </>
  )
}
