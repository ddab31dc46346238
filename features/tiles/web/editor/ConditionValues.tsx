import type { StoredCondition } from '@headwater/tile-data/core'
import { usePatterns } from '@headwater/tile-data/web'
import { TextField } from '@headwater/web-kit'
import styles from './Editor.module.css'

/** The values that a condition compares with: none, one or two. An invalid pattern has an error message. */
export function ConditionValues({
  stored,
  onChange,
}: {
  stored: Pick<StoredCondition, 'conditionValueA' | 'conditionValueB'> & Partial<StoredCondition>
  onChange: (change: { conditionValueA: string } | { conditionValueB: string }) => void
}) {
  const { condition, conditionValueA, conditionValueB } = stored
  const { problems } = usePatterns([stored])
  if (condition === undefined || condition === 'for every different value') return null
  const two = condition === 'between' || condition === 'not between'
  return (
    <div className={two ? styles.pair : undefined}>
      <TextField
        label={two ? 'From' : 'Value'}
        value={conditionValueA}
        hint={condition === 'regex' ? 'A regular expression such as ^BR|oil$. Case is ignored.' : undefined}
        error={problems[0]}
        onChange={(text) => onChange({ conditionValueA: text })}
      />
      {two ? (
        <TextField
          label="To"
          value={conditionValueB}
          onChange={(text) => onChange({ conditionValueB: text })}
        />
      ) : null}
    </div>
  )
}
