import type { Tile } from '@headwater/tile-data/contract'
import {
  rowIds,
  tableRule,
  textStyles,
  type RuleKind,
  type TableRule,
  type TableTile,
} from '@headwater/tile-data/core'
import { type FormItem, type FormItems, type Option } from '@headwater/web-kit'
import { ColorField, colourControl } from '../../editor/ColorField.tsx'
import { RuleFields } from '../../editor/RuleFields.tsx'
import { capital } from './capital.ts'
import { rowNames } from './row-names.ts'

const rowTargets = [
  { value: 'ALL', label: 'All cells' },
  { value: 'FIRST', label: 'First row' },
  { value: 'LAST', label: 'Last row' },
  ...rowIds.map((value) => ({ value, label: rowNames[value] })),
]

const kindItems: FormItems<TableRule> = [
  {
    field: 'kind',
    label: 'Format',
    choices: {
      RULE: 'Single rule',
      COLOR_SCALE: 'Colour scale',
      DATA_BAR: 'Data bar',
      ICON_SET: 'Icon set',
    },
  },
]

const looks: Readonly<Record<RuleKind, FormItems<TableRule>>> = {
  RULE: [
    [
      { field: 'textColor', label: 'Text', control: colourControl },
      { field: 'bgColor', label: 'Background', control: colourControl },
    ],
    {
      field: 'textStyle',
      label: 'Text style',
      none: 'Same as column',
      choices: textStyles.map((value) => ({ value, label: capital(value) })),
    },
  ],
  COLOR_SCALE: [
    [
      { field: 'lowColor', label: 'Low', control: colourControl },
      { field: 'lowValue', label: 'Low value', placeholder: 'lowest value' },
    ],
    [
      { field: 'middleColor', label: 'Middle', control: colourControl },
      {
        field: 'middleValue',
        label: 'Middle value',
        placeholder: 'halfway',
        when: ({ middleColor }) => middleColor !== undefined,
      },
    ],
    [
      colour('highColor', 'High', 'var(--series-1)'),
      { field: 'highValue', label: 'High value', placeholder: 'highest value' },
    ],
  ],
  DATA_BAR: [
    [
      colour('highColor', 'Above zero', 'var(--series-1)'),
      colour('lowColor', 'Below zero', 'var(--series-2)'),
    ],
    [
      { field: 'lowValue', label: 'Shortest bar value', placeholder: 'lowest value' },
      { field: 'highValue', label: 'Longest bar value', placeholder: 'highest value' },
    ],
  ],
  ICON_SET: [
    {
      field: 'iconSet',
      label: 'Icons',
      choices: {
        ARROWS: 'Arrows: low, medium, high',
        SIGNS: 'Signs: bad, warning, good',
        CIRCLES: 'Circles: low, medium, high',
      },
    },
    [
      { field: 'lowValue', label: 'Low below', placeholder: 'first third' },
      { field: 'highValue', label: 'High from', placeholder: 'last third' },
    ],
    { field: 'iconsReversed', label: 'Reverse the icons' },
  ],
}

const lookItems = Object.entries(looks).map(([kind, items]): FormItem<TableRule> => ({
  when: (rule) => rule.kind === kind,
  items,
}))

/** The rules that format cells of a table. */
export function TableRules({
  table,
  names,
  onChange,
}: {
  table: TableTile
  /** The columns. */
  names: readonly Option[]
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  return (
    <RuleFields
      schema={tableRule}
      rules={table.conditionalFormatting}
      targets={[...rowTargets, ...names]}
      newRule={() => tableRule.parse({ applyTo: 'ALL', condition: '>', bgColor: '--series-6' })}
      onChange={(conditionalFormatting, topic) => onChange({ conditionalFormatting }, topic)}
      kind={kindItems}
      hasCondition={({ kind }) => kind === 'RULE'}
      look={lookItems}
    />
  )
}

/** A colour field with a default of the theme. */
function colour(field: 'lowColor' | 'highColor', label: string, automatic: string): FormItem<TableRule> {
  return { field, label, control: (props) => <ColorField {...props} automatic={automatic} /> }
}
