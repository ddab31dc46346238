import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './Checkbox.module.css'

/** Properties of {@link Checkbox} and {@link Switch}. */
export interface CheckboxProps {
  /** Label beside the box. */
  label: string
  /** Whether the box is checked. */
  checked: boolean
  /** Called with the new state. */
  onChange: (checked: boolean) => void
  /** Whether some but not all of its items are checked. */
  indeterminate?: boolean
  /** Hides the label, except for screen readers. */
  hideLabel?: boolean
  /** Disables the box. */
  disabled?: boolean
  /** One sentence below the label. */
  hint?: ReactNode
}

/** A checkbox. */
export function Checkbox({ indeterminate = false, ...props }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return <Tick {...props} input={{ ref: box, className: styles.box }} />
}

/** A switch: like a checkbox, but a change takes effect immediately. */
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
