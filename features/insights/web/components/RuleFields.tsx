import type { ReactNode } from 'react'
import { Select } from '@headwater/web-kit'
import {
  conditionLabel,
  conditions,
  type Condition,
  type StoredCondition,
} from '../../contract/tiles/condition.ts'
import { ConditionValues } from './ConditionValues.tsx'
import styles from './Editor.module.css'
import { EntryList } from './EntryList.tsx'

/** A rule of conditional formatting as its fields need it. */
export interface Rule extends StoredCondition {
  applyTo: string
}

/** What a rule can be about, with the words for it. */
export type RuleTargets = readonly { value: string; label: string }[]

/** The rules of conditional formatting of a tile: where, when, and how it looks then. */
export function RuleFields<R extends Rule>(props: {
  rules: readonly R[]
  newRule: () => R
  /** Conditions that have a meaning here; default all. */
  offered?: readonly Condition[]
  targets: RuleTargets
  onChange: (rules: R[], topic?: string) => void
  /** Fields above all others; default none. */
  kind?: (rule: R, set: (change: Partial<R>) => void) => ReactNode
  /** Whether a rule has a condition; default all have one. */
  hasCondition?: (rule: R) => boolean
  /** The fields that say how what meets the rule looks. */
  look: (rule: R, set: (change: Partial<R>) => void) => ReactNode
}) {
  const { rules, newRule, offered = conditions, targets, onChange, kind, hasCondition, look } = props
  return (
    <>
      <p className={styles.heading}>Conditional formatting</p>
      <EntryList kind="Rule" entries={rules} newEntry={newRule} onChange={onChange}>
        {(rule, set) => {
          const target = (
            <Select
              label="Apply to"
              value={rule.applyTo}
              options={withOwn(targets, rule.applyTo)}
              onChange={(applyTo) => set({ applyTo: applyTo ?? 'ALL' } as Partial<R>)}
            />
          )
          return (
            <>
              {kind?.(rule, set)}
              {hasCondition?.(rule) === false ? (
                target
              ) : (
                <>
                  <div className={styles.pair}>
                    {target}
                    <Select
                      label="Condition"
                      value={rule.condition}
                      options={offered.map((each) => ({ value: each, label: conditionLabel(each) }))}
                      onChange={(condition) => set({ condition: condition ?? '>' } as Partial<R>)}
                    />
                  </div>
                  <ConditionValues stored={rule} onChange={(change) => set(change as Partial<R>)} />
                </>
              )}
              {look(rule, set)}
            </>
          )
        }}
      </EntryList>
    </>
  )
}

/** What is stored stays in the list, also when nothing is called so any more. */
function withOwn(targets: RuleTargets, own: string): RuleTargets {
  return targets.some(({ value }) => value === own) ? targets : [...targets, { value: own, label: own }]
}
