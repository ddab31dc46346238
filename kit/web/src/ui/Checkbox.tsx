import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './Checkbox.module.css'

export interface CheckboxProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** Some but not all below it are checked. */
  indeterminate?: boolean
  hideLabel?: boolean
  disabled?: boolean
  hint?: ReactNode
}

/** A box to tick. */
export function Checkbox({ indeterminate = false, ...props }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return <Tick {...props} input={{ ref: box, className: styles.box }} />
}

/** A switch: like a checkbox, but what it sets takes effect at once. */
export function Switch(props: Omit<CheckboxProps, 'indeterminate'>) {
  return <Tick {...props} input={{ role: 'switch', className: styles.switch }} />
}

type TickProps = Omit<CheckboxProps, 'indeterminate'> & { input: ComponentProps<'input'> }

function Tick({ label, checked, onChange, hideLabel, disabled, hint, input }: TickProps) {
  const hintId = useId()
  return (
    <div className={styles.field}>
      <label className={styles.row} data-disabled={disabled || undefined}>
        <input
          {...input}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? hintId : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className={hideLabel ? 'visually-hidden' : undefined}>{label}</span>
      </label>
      {hint ? (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      ) : null}
    </div>
  )
}
