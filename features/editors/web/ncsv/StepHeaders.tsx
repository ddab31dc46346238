import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import styles from './NcsvCreator.module.css'
import { ncsvSteps } from './ncsv-table.ts'

/** State of a step. */
export type StepState = 'error' | 'success' | 'pending'

const icons = { error: IconAlertCircle, success: IconCircleCheck, pending: IconCircle }

/** The steps with their states; only the steps beside the current one can be opened. */
export function StepHeaders({
  current,
  states,
  onBack,
  onNext,
}: {
  current: number
  states: readonly StepState[]
  onBack: () => void
  onNext: () => void
}) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {ncsvSteps.map((name, at) => {
        const state = states[at]!
        const Icon = icons[state]
        return (
          <li key={name} data-state={state} data-next-focus={at === current || undefined}>
            <button
              type="button"
              aria-current={at === current ? 'step' : undefined}
              disabled={Math.abs(at - current) > 1}
              onClick={() => {
                if (at === current + 1) onNext()
                if (at === current - 1) onBack()
              }}
            >
              <Icon size={16} stroke={1.6} aria-hidden="true" />
              <span>{name}</span>
              <span className={styles.hidden}>{state}</span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
