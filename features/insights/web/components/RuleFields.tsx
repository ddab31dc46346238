import type { ReactNode } from 'react'
import { Select, TextField } from '@headwater/web-kit'
import { conditionLabel, conditions, type Condition } from '../../contract/tiles/condition.ts'
import styles from './Editor.module.css'
import { EntryList } from './EntryList.tsx'

/** A rule of conditional formatting as its fields need it. */
export interface Rule {
  applyTo: string
  condition: Condition
  conditionValueA: string
  conditionValueB: string
}

/** The rules of conditional formatting of a tile: where, when, and how it looks then. */
export function RuleFields<R extends Rule>(props: {
  rules: readonly R[]
  newRule: () => R
  /** Conditions that have a meaning here; default all. */
  offered?: readonly Condition[]
  targets: readonly { value: string; label: string }[]
  onChange: (rules: R[], topic?: string) => void
  /** The fields that say how what meets the rule looks. */
  look: (rule: R, set: (change: Partial<R>) => void) => ReactNode
}) {
  const { rules, newRule, offered = conditions, targets, onChange, look } = props
  const known = (value: string) =>
    targets.some((target) => target.value === value) ? targets : [...targets, { value, label: value }]
  return (
    <>
      <p className={styles.heading}>Conditional formatting</p>
      <EntryList kind="Rule" entries={rules} newEntry={newRule} onChange={onChange}>
        {(rule, set) => {
          const two = rule.condition === 'between' || rule.condition === 'not between'
          const none = rule.condition === 'for every different value'
          return (
            <>
              <div className={styles.pair}>
                <Select
                  label="Apply to"
                  value={rule.applyTo}
                  options={known(rule.applyTo)}
                  onChange={(applyTo) => set({ applyTo: applyTo ?? 'ALL' } as Partial<R>)}
                />
                <Select
                  label="Condition"
                  value={rule.condition}
                  options={offered.map((each) => ({ value: each, label: conditionLabel(each) }))}
                  onChange={(condition) => set({ condition: condition ?? '>' } as Partial<R>)}
                />
              </div>
              {none ? null : (
                <div className={two ? styles.pair : undefined}>
                  <TextField
                    label={two ? 'From' : 'Value'}
                    value={rule.conditionValueA}
                    onChange={(conditionValueA) => set({ conditionValueA } as Partial<R>)}
                  />
                  {two ? (
                    <TextField
                      label="To"
                      value={rule.conditionValueB}
                      onChange={(conditionValueB) => set({ conditionValueB } as Partial<R>)}
                    />
                  ) : null}
                </div>
              )}
              {look(rule, set)}
            </>
          )
        }}
      </EntryList>
    </>
  )
}
