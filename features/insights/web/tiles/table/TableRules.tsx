import { NumberField, Select, Switch } from '@headwater/web-kit'
import type { Tile } from '../../../contract/index.ts'
import {
  tableRule,
  textStyles,
  type IconSet,
  type RuleKind,
  type TableRule,
  type TableTile,
} from '../../../contract/tiles/table/table-tile.ts'
import { ColorField } from '../../components/ColorField.tsx'
import styles from '../../components/Editor.module.css'
import { RuleFields, type RuleTargets } from '../../components/RuleFields.tsx'
import { rowNames } from './row-names.ts'

const kindNames: { value: RuleKind; label: string }[] = [
  { value: 'RULE', label: 'Single rule' },
  { value: 'COLOR_SCALE', label: 'Colour scale' },
  { value: 'DATA_BAR', label: 'Data bar' },
  { value: 'ICON_SET', label: 'Icon set' },
]
const setNames: { value: IconSet; label: string }[] = [
  { value: 'ARROWS', label: 'Arrows: low, medium, high' },
  { value: 'SIGNS', label: 'Signs: bad, warning, good' },
  { value: 'CIRCLES', label: 'Circles: low, medium, high' },
]

const rowTargets = [
  { value: 'ALL', label: 'All cells' },
  { value: 'FIRST', label: 'First row' },
  { value: 'LAST', label: 'Last row' },
  ...(['Row 1', 'Row 2', 'Footer'] as const).map((value) => ({ value, label: rowNames[value] })),
]

interface LookProps {
  rule: TableRule
  set: (change: Partial<TableRule>) => void
}

/** The rules that format cells of a table. */
export function TableRules({
  table,
  names,
  onChange,
}: {
  table: TableTile
  /** The columns. */
  names: RuleTargets
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  return (
    <RuleFields<TableRule>
      rules={table.conditionalFormatting}
      targets={[...rowTargets, ...names]}
      newRule={() => tableRule.parse({ applyTo: 'ALL', condition: '>', bgColor: '--series-6' })}
      onChange={(conditionalFormatting, topic) => onChange({ conditionalFormatting }, topic)}
      kind={(rule, set) => (
        <Select
          label="Format"
          value={rule.kind}
          options={kindNames}
          onChange={(kind) => set({ kind: (kind ?? 'RULE') as RuleKind })}
        />
      )}
      hasCondition={({ kind }) => kind === 'RULE'}
      look={(rule, set) => {
        const Look = looks[rule.kind]
        return <Look rule={rule} set={set} />
      }}
    />
  )
}

const looks = { RULE: RuleLook, COLOR_SCALE: ScaleLook, DATA_BAR: BarLook, ICON_SET: IconLook }

function RuleLook({ rule, set }: LookProps) {
  return (
    <>
      <div className={styles.pair}>
        <ColorField label="Text" value={rule.textColor} onChange={(textColor) => set({ textColor })} />
        <ColorField label="Background" value={rule.bgColor} onChange={(bgColor) => set({ bgColor })} />
      </div>
      <Select
        label="Text style"
        value={rule.textStyle ?? ''}
        options={[
          { value: '', label: 'Same as column' },
          ...textStyles.map((value) => ({ value, label: value })),
        ]}
        onChange={(value) => set({ textStyle: (value || undefined) as TableRule['textStyle'] })}
      />
    </>
  )
}

function ScaleLook({ rule, set }: LookProps) {
  return (
    <>
      <div className={styles.pair}>
        <ColorField label="Low" value={rule.lowColor} onChange={(lowColor) => set({ lowColor })} />
        <NumberField
          label="Low from"
          value={rule.lowValue}
          placeholder="lowest value"
          onChange={(lowValue) => set({ lowValue })}
        />
      </div>
      <div className={styles.pair}>
        <ColorField
          label="Middle"
          value={rule.middleColor}
          onChange={(middleColor) => set({ middleColor })}
        />
        {rule.middleColor === undefined ? null : (
          <NumberField
            label="Middle at"
            value={rule.middleValue}
            placeholder="halfway"
            onChange={(middleValue) => set({ middleValue })}
          />
        )}
      </div>
      <div className={styles.pair}>
        <ColorField
          label="High"
          value={rule.highColor}
          automatic="var(--series-1)"
          onChange={(highColor) => set({ highColor })}
        />
        <NumberField
          label="High up to"
          value={rule.highValue}
          placeholder="highest value"
          onChange={(highValue) => set({ highValue })}
        />
      </div>
    </>
  )
}

function BarLook({ rule, set }: LookProps) {
  return (
    <>
      <div className={styles.pair}>
        <ColorField
          label="Above zero"
          value={rule.highColor}
          automatic="var(--series-1)"
          onChange={(highColor) => set({ highColor })}
        />
        <ColorField
          label="Below zero"
          value={rule.lowColor}
          automatic="var(--series-2)"
          onChange={(lowColor) => set({ lowColor })}
        />
      </div>
      <div className={styles.pair}>
        <NumberField
          label="Shortest bar value"
          value={rule.lowValue}
          placeholder="lowest value"
          onChange={(lowValue) => set({ lowValue })}
        />
        <NumberField
          label="Longest bar value"
          value={rule.highValue}
          placeholder="highest value"
          onChange={(highValue) => set({ highValue })}
        />
      </div>
    </>
  )
}

function IconLook({ rule, set }: LookProps) {
  return (
    <>
      <Select
        label="Icons"
        value={rule.iconSet}
        options={setNames}
        onChange={(iconSet) => set({ iconSet: (iconSet ?? 'ARROWS') as IconSet })}
      />
      <div className={styles.pair}>
        <NumberField
          label="Low if below"
          value={rule.lowValue}
          placeholder="first third"
          onChange={(lowValue) => set({ lowValue })}
        />
        <NumberField
          label="High if at least"
          value={rule.highValue}
          placeholder="last third"
          onChange={(highValue) => set({ highValue })}
        />
      </div>
      <Switch
        label="Reverse the icons"
        checked={rule.iconsReversed}
        onChange={(iconsReversed) => set({ iconsReversed })}
      />
    </>
  )
}
