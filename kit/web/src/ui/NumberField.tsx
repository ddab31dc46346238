import { useEffect, useRef, useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import styles from './Field.module.css'

/** Properties of {@link NumberField}. */
export interface NumberFieldProps extends FieldProps {
  /** The number; `undefined` for an empty field. */
  value: number | undefined
  /** Called with the new number; undefined for an empty field. */
  onChange: (value: number | undefined) => void
  /** Minimum; default none. */
  min?: number
  /** Maximum; default none. */
  max?: number
  /** Step of the arrow keys, default 1. */
  step?: number | 'any'
  /** Text of the empty field. */
  placeholder?: string
}

/**
 * A field for one number. For text that is not a number, it shows an error and prevents saving. For a value outside the
 * limits, it shows an error but does not change the value.
 */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, min, max, step = 1 } = props
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const [given, setGiven] = useState(value)
  if (given !== value) {
    setGiven(value)
    if (parseNumber(text) !== value) setText(value === undefined ? '' : String(value))
  }
  const problem = text.trim() === '' ? undefined : rangeProblem(text, min, max)
  const isNoNumber = text.trim() !== '' && parseNumber(text) === undefined
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(isNoNumber ? noNumber : ''), [isNoNumber])
  return (
    <Field {...props} error={props.error ?? problem}>
      {(control) => (
        <input
          {...control}
          ref={input}
          className={styles.control}
          inputMode="decimal"
          value={text}
          placeholder={props.placeholder}
          role="spinbutton"
          aria-valuemin={min}
          aria-valuemax={max}
          aria-valuenow={value}
          onChange={(event) => {
            setText(event.target.value)
            const next = parseNumber(event.target.value)
            if (event.target.value.trim() === '' || next !== undefined) onChange(next)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
            event.preventDefault()
            const by = (step === 'any' ? 1 : step) * (event.key === 'ArrowUp' ? 1 : -1)
            const next = clamp(Number(((value ?? 0) + by).toPrecision(12)), min, max)
            setText(String(next))
            onChange(next)
          }}
        />
      )}
    </Field>
  )
}

const noNumber = 'Enter a number.'

function parseNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : undefined
}

function rangeProblem(text: string, min?: number, max?: number): string | undefined {
  const value = parseNumber(text)
  if (value === undefined) return noNumber
  if (min !== undefined && value < min) return `The minimum is ${min}.`
  if (max !== undefined && value > max) return `The maximum is ${max}.`
  return undefined
}

function clamp(value: number, min = -Infinity, max = Infinity): number {
  return Math.min(max, Math.max(min, value))
}
