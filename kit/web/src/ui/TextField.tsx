import {
  type HTMLInputAutoCompleteAttribute,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useState,
} from 'react'
import { formatNumber } from '@headwater/contract'
import { Field, type FieldProps } from './Field.tsx'
import styles from './Field.module.css'

export interface TextFieldProps extends FieldProps {
  value: string
  onChange: (text: string) => void
  type?: 'text' | 'password' | 'email' | 'number' | 'search' | 'url'
  placeholder?: string
  /** An icon of 16 px inside the field. */
  icon?: ReactNode
  /** Set for code, ids and raw data. */
  mono?: boolean
  autoFocus?: boolean
  autoComplete?: HTMLInputAutoCompleteAttribute
  name?: string
  /** Refuses longer text and counts what remains while the field has focus. */
  maxLength?: number
  /** More than one row makes it a text area. */
  rows?: number
  readOnly?: boolean
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
  /** The same for a field of several rows. */
  areaRef?: Ref<HTMLTextAreaElement>
}

/** A field for text: one line, or several when `rows` is given. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, type = 'text', icon, mono, maxLength, rows, onBlur, inputRef, areaRef } = props
  const [focused, setFocused] = useState(false)
  const names = [styles.control, mono ? styles.mono : ''].filter(Boolean).join(' ')
  const counter =
    maxLength !== undefined && focused ? (
      <span className={styles.counter}>{formatNumber(maxLength - value.length)} characters left</span>
    ) : null
  const shared = {
    className: names,
    value,
    maxLength,
    name: props.name,
    placeholder: props.placeholder,
    autoComplete: props.autoComplete,
    readOnly: props.readOnly,
    'data-autofocus': props.autoFocus || undefined,
    onKeyDown: props.onKeyDown,
    onFocus: () => setFocused(true),
    onBlur: () => {
      setFocused(false)
      onBlur?.()
    },
  }
  return (
    <Field {...props} end={counter}>
      {(control) =>
        rows !== undefined && rows > 1 ? (
          <textarea
            {...control}
            {...shared}
            ref={areaRef}
            rows={rows}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <div className={icon ? styles.iconBox : undefined}>
            {icon}
            <input
              {...control}
              {...shared}
              ref={inputRef}
              type={type}
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={props.autoFocus}
              onChange={(event) => onChange(event.target.value)}
            />
          </div>
        )
      }
    </Field>
  )
}
