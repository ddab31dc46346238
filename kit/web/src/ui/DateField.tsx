import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import { isIsoDate } from '../format/calendar.ts'
import { Calendar } from './Calendar.tsx'
import { Field, type FieldProps } from './Field.tsx'
import fieldStyles from './Field.module.css'
import { IconButton } from './IconButton.tsx'
import { Popover } from './Popover.tsx'
import styles from './DateField.module.css'

/** Properties of {@link DateField}. */
export interface DateFieldProps extends FieldProps {
  /** The date, for example `2026-01-31`; empty for none. */
  value: string
  /** Called with the new date; empty for none. */
  onChange: (date: string) => void
  /** Placeholder of the empty field. Default `YYYY-MM-DD`. */
  placeholder?: string
}

const notADate = 'Enter a date such as 2026-01-31.'
const notATime = 'Enter a time from 00:00 to 23:59, such as 07:30 or 07:30:15.'

/** Matches the times of a day in 24 hours, with or without seconds. */
const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/

/** Returns the text of a field that changes its value only when the text is complete. */
function useTypedText(
  { value, onChange, error }: Pick<DateFieldProps, 'value' | 'onChange' | 'error'>,
  isComplete: (text: string) => boolean,
  problem: string,
) {
  const [typed, setTyped] = useState({ text: value, value })
  const [isLeft, setIsLeft] = useState(false)
  // The value can change elsewhere. The typed text is outdated then.
  const text = typed.value === value ? typed.text : value
  const isUnfinished = text !== '' && !isComplete(text)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(isUnfinished ? problem : ''), [isUnfinished, problem])

  function change(next: string) {
    const isValue = next === '' || isComplete(next)
    setTyped({ text: next, value: isValue ? next : value })
    setIsLeft(false)
    if (isValue && next !== value) onChange(next)
  }
  return {
    text,
    change,
    error: isLeft && isUnfinished ? problem : (error ?? null),
    inputProps: {
      ref: input,
      value: text,
      autoComplete: 'off',
      spellCheck: false,
      onChange: (event: ChangeEvent<HTMLInputElement>) => change(event.target.value.trim()),
      onBlur: () => setIsLeft(true),
      onInvalid: () => setIsLeft(true),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !isUnfinished) return
        event.preventDefault()
        setIsLeft(true)
      },
    },
  }
}

/** A date field. The user types a date such as `2026-01-31` or selects it in a calendar. */
export function DateField({ value, onChange, placeholder, ...field }: DateFieldProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { text, change, error, inputProps } = useTypedText(
    { value, onChange, error: field.error },
    isIsoDate,
    notADate,
  )
  return (
    <Field {...field} error={error}>
      {(control) => (
        <div className={styles.box}>
          <input
            {...control}
            {...inputProps}
            className={`${fieldStyles.control} ${styles.input}`}
            placeholder={placeholder || 'YYYY-MM-DD'}
          />
          <span className={styles.open}>
            <Popover
              label="Calendar"
              open={isOpen}
              position="bottom-end"
              onClose={() => setIsOpen(false)}
              trigger={
                <IconButton
                  label="Open calendar"
                  icon={<IconCalendar size={15} stroke={1.6} />}
                  disabled={control.disabled === true}
                  onClick={() => setIsOpen(!isOpen)}
                />
              }
            >
              <Calendar
                value={isIsoDate(text) ? text : ''}
                onChoose={(date) => {
                  change(date)
                  setIsOpen(false)
                }}
              />
            </Popover>
          </span>
        </div>
      )}
    </Field>
  )
}

/** A field for a time of day in 24 hours. The user types `07:30` or `07:30:15`; empty for none. */
export function TimeField({ value, onChange, ...field }: Omit<DateFieldProps, 'placeholder'>) {
  const { error, inputProps } = useTypedText(
    { value, onChange, error: field.error },
    (text) => timeOfDay.test(text),
    notATime,
  )
  return (
    <Field {...field} error={error}>
      {(control) => (
        <input
          {...control}
          {...inputProps}
          className={fieldStyles.control}
          placeholder="HH:MM"
          maxLength={8}
        />
      )}
    </Field>
  )
}
