import { type ReactNode, useEffect, useId, useRef } from 'react'
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
export function Checkbox({
  label,
  checked,
  onChange,
  indeterminate = false,
  hideLabel,
  disabled,
  hint,
}: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  const hintId = useId()
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <div className={styles.field}>
      <label className={styles.row} data-disabled={disabled || undefined}>
        <input
          ref={box}
          type="checkbox"
          className={styles.box}
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

/** A switch: like a checkbox, but what it sets takes effect at once. */
export function Switch({
  label,
  checked,
  onChange,
  hideLabel,
  disabled,
  hint,
}: Omit<CheckboxProps, 'indeterminate'>) {
  const hintId = useId()
  return (
    <div className={styles.field}>
      <label className={styles.row} data-disabled={disabled || undefined}>
        <input
          type="checkbox"
          role="switch"
          className={styles.switch}
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
