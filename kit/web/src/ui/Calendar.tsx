import { utcDate } from '@headwater/contract'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { addDays, addMonths, weeksOf } from '../format/calendar.ts'
import { IconButton } from './IconButton.tsx'
import styles from './Calendar.module.css'

const icon = { size: 15, stroke: 1.6 }
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayName = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

/** A month with selectable days. Arrow keys move by days and weeks, Page Up and Page Down by months. */
export function Calendar({
  value,
  onChoose,
}: {
  /** The selected date, for example `2026-01-31`; empty for none. */
  value: string
  onChoose: (date: string) => void
}) {
  const [today] = useState(() => utcDate(new Date()))
  const [date, setDate] = useState(value === '' ? today : value)
  const focused = useRef<HTMLButtonElement>(null)
  const isMoved = useRef(false)
  useEffect(() => {
    if (isMoved.current) focused.current?.focus()
    isMoved.current = false
  }, [date])

  function onKeyDown(event: KeyboardEvent) {
    const to = keyTarget(event.key, date)
    if (to === undefined) return
    event.preventDefault()
    isMoved.current = true
    setDate(to)
  }
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          label="Previous month"
          icon={<IconChevronLeft {...icon} />}
          onClick={() => setDate(addMonths(date, -1))}
        />
        <span aria-live="polite">{monthName.format(new Date(date))}</span>
        <IconButton
          label="Next month"
          icon={<IconChevronRight {...icon} />}
          onClick={() => setDate(addMonths(date, 1))}
        />
      </div>
      <table className={styles.days} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(date).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    ref={day === date ? focused : undefined}
                    tabIndex={day === date ? 0 : -1}
                    data-autofocus={day === date || undefined}
                    className={styles.day}
                    aria-label={dayName.format(new Date(day))}
                    aria-pressed={day === value}
                    aria-current={day === today ? 'date' : undefined}
                    data-outside={day.slice(0, 7) !== date.slice(0, 7) || undefined}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function keyTarget(key: string, date: string): string | undefined {
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[key]
  if (days !== undefined) return addDays(date, days)
  const months = { PageUp: -1, PageDown: 1 }[key]
  return months === undefined ? undefined : addMonths(date, months)
}
