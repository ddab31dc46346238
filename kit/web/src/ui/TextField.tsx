import {
  type HTMLInputAutoCompleteAttribute,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useState,
} from 'react'
import { countOf, formatNumber } from '@headwater/contract'
import { Field, type FieldProps } from './Field.tsx'
import { useOmittedText } from './use-omitted-text.ts'
import styles from './Field.module.css'

/** Properties of {@link TextField}. */
export interface TextFieldProps extends FieldProps {
  /** The text. */
  value: string
  /** Called with the new text. */
  onChange: (text: string) => void
  /** Type of the input, default text. */
  type?: 'text' | 'password' | 'email' | 'number' | 'search' | 'url'
  /** Text of the empty field. */
  placeholder?: string
  /** An icon of 16 px inside the field. */
  icon?: ReactNode
  /** Uses the monospaced font, for code, ids and raw data. */
  mono?: boolean
  /** Focuses the field when it appears. */
  autoFocus?: boolean
  /** The autocomplete attribute. */
  autoComplete?: HTMLInputAutoCompleteAttribute
  /** Name for password managers. */
  name?: string
  /** Maximum length; the field shows the remaining characters while it has the focus. */
  maxLength?: number
  /** Number of rows; more than one makes it a text area. */
  rows?: number
  /** Shows dots instead of the characters, also in several rows. */
  masked?: boolean
  /** Makes the text read-only. */
  readOnly?: boolean
  /** Called on each key press. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  /** Called when the field loses the focus. */
  onBlur?: () => void
  /** Receives the input element. */
  inputRef?: Ref<HTMLInputElement>
  /** Receives the text area if the field has several rows. */
  areaRef?: Ref<HTMLTextAreaElement>
}

/** A text field with one line, or several with `rows`. */
export function TextField(props: TextFieldProps) {
  const {
    value,
    onChange,
    type = 'text',
    icon,
    mono,
    masked,
    maxLength,
    rows,
    onBlur,
    inputRef,
    areaRef,
  } = props
  const [focused, setFocused] = useState(false)
  const { omitted, ...watched } = useOmittedText(maxLength)
  const names = [styles.control, mono ? styles.mono : '', masked ? styles.masked : '']
    .filter(Boolean)
    .join(' ')
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
    ...(masked ? { spellCheck: false } : {}),
    'data-autofocus': props.autoFocus || undefined,
    onKeyDown: props.onKeyDown,
    onFocus: () => setFocused(true),
    onBlur: () => {
      setFocused(false)
      onBlur?.()
    },
  }
  return (
    <Field {...props} end={counter} error={props.error || omittedText(omitted)}>
      {(control) =>
        rows !== undefined && rows > 1 ? (
          <textarea
            {...control}
            {...shared}
            ref={areaRef}
            rows={rows}
            {...watched}
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
              {...watched}
              onChange={(event) => onChange(event.target.value)}
            />
          </div>
        )
      }
    </Field>
  )
}

function omittedText(count: number): string | undefined {
  if (count === 0) return undefined
  return `The pasted text is too long. Its last ${countOf(count, 'character', 'characters')} were omitted.`
}
