import { useEffect, useRef, useState } from 'react'
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

/** A date field. The user types a date such as `2026-01-31` or selects it in a calendar. */
export function DateField({ value, onChange, placeholder, ...field }: DateFieldProps) {
  const [typed, setTyped] = useState({ text: value, value })
  const [isOpen, setIsOpen] = useState(false)
  const [isLeft, setIsLeft] = useState(false)
  // The value can change from outside; in that case the typed text is outdated.
  const text = typed.value === value ? typed.text : value
  const isUnfinished = text !== '' && !isIsoDate(text)
  const isWrong = isLeft && isUnfinished
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(isUnfinished ? notADate : ''), [isUnfinished])

  function change(next: string) {
    const isDate = next === '' || isIsoDate(next)
    setTyped({ text: next, value: isDate ? next : value })
    setIsLeft(false)
    if (isDate && next !== value) onChange(next)
  }
  return (
    <Field {...field} error={isWrong ? notADate : (field.error ?? null)}>
      {(control) => (
        <div className={styles.box}>
          <input
            {...control}
            ref={input}
            className={`${fieldStyles.control} ${styles.input}`}
            value={text}
            placeholder={placeholder || 'YYYY-MM-DD'}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(event.target.value.trim())}
            onBlur={() => setIsLeft(true)}
            onInvalid={() => setIsLeft(true)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !isUnfinished) return
              event.preventDefault()
              setIsLeft(true)
            }}
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

/** A field for a time of day with optional seconds: `07:30` or `07:30:15`; empty for none. */
export function TimeField({ value, onChange, ...field }: Omit<DateFieldProps, 'placeholder'>) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          className={`${fieldStyles.control} ${styles.time}`}
          type="time"
          step={1}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
