import type { z } from 'zod'
import { conditionLabel, conditions, type Condition, type StoredCondition } from '@headwater/tile-data/core'
import type { FormItem, FormItems, Option } from '@headwater/web-kit'
import { ConditionValues } from './ConditionValues.tsx'
import styles from './Editor.module.css'
import { EntryList } from './EntryList.tsx'

/** A rule of conditional formatting. */
export interface Rule extends StoredCondition {
  /** Target of the rule. */
  applyTo: string
}

/** The target and the condition of a rule. */
function ruleItems<R extends Rule>(
  targets: readonly Option[],
  offered: readonly Condition[],
  hasCondition: (rule: R) => boolean,
): FormItems<Rule> {
  const target: FormItem<Rule> = {
    field: 'applyTo',
    label: 'Apply to',
    choices: targets,
    keepsUnknown: true,
  }
  const condition: FormItem<Rule> = {
    field: 'condition',
    label: 'Condition',
    choices: offered.map((each) => ({ value: each, label: conditionLabel(each) })),
  }
  return [
    { when: (rule) => !hasCondition(rule as R), items: [target] },
    {
      when: (rule) => hasCondition(rule as R),
      items: [[target, condition], { part: (rule, set) => <ConditionValues stored={rule} onChange={set} /> }],
    },
  ]
}

/** The rules of conditional formatting of a tile: target, condition and style. */
export function RuleFields<R extends Rule>(props: {
  schema: z.ZodType<R>
  rules: readonly NoInfer<R>[]
  newRule: () => NoInfer<R>
  /** Available conditions; default all. */
  offered?: readonly Condition[]
  /** Targets of a rule with their labels. */
  targets: readonly Option[]
  onChange: (rules: NoInfer<R>[], topic?: string) => void
  /** Fields above all others; default none. */
  kind?: FormItems<NoInfer<R>>
  /** Whether a rule has a condition; default all have one. */
  hasCondition?: (rule: NoInfer<R>) => boolean
  /** The style fields of a rule. */
  look: FormItems<NoInfer<R>>
}) {
  const { schema, rules, newRule, offered = conditions, targets, onChange, kind = [], look } = props
  const common = ruleItems(targets, offered, props.hasCondition ?? (() => true)) as unknown as FormItems<R>
  return (
    <>
      <p className={styles.heading}>Conditional formatting</p>
      <EntryList
        kind="Rule"
        schema={schema}
        items={[...kind, ...common, ...look]}
        entries={rules}
        newEntry={newRule}
        onChange={onChange}
      />
    </>
  )
}
