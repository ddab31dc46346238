import { createContext, useContext, useEffect, useState } from 'react'
import {
  type TimeInput,
  type TimeStyle,
  formatTime,
  formatRelative,
  formatUtc,
  parseTime,
} from '../format/time.ts'

/** Provides the time zone of the user, which the session sets. */
export const TimeZoneContext = createContext('UTC')

/** Returns the time zone of the user. */
export function useTimeZone(): string {
  return useContext(TimeZoneContext)
}

/** Properties of {@link Time}. */
export interface TimeProps {
  /** The time. Text without a zone is UTC; null or undefined shows a dash. */
  value: TimeInput | null | undefined
  /** Style, default `compact`. */
  show?: TimeStyle
  /** Adds the relative time. */
  relative?: boolean
  /** IANA zone in which to show the time, for times in data. Default: the zone of the user. */
  timeZone?: string
  /** Adds the name of the zone. */
  withZone?: boolean
}

/**
 * Shows a time in the zone of the user, with UTC in the tooltip. With another zone, the tooltip contains both.
 */
export function Time({ value, show = 'compact', relative, timeZone, withZone }: TimeProps) {
  const readersZone = useTimeZone()
  const zone = timeZone ?? readersZone
  const now = useNow(60_000)
  const date = value === null || value === undefined ? undefined : parseTime(value)
  if (date === undefined) return <span>—</span>
  return (
    <time
      dateTime={date.toISOString()}
      title={
        zone === readersZone
          ? formatUtc(date)
          : `${formatTime(date, readersZone, 'minute', now)} ${readersZone}\n${formatUtc(date)}`
      }
    >
      {formatTime(date, zone, show, now)}
      {withZone ? ` ${zone}` : ''}
      {relative ? ` · ${formatRelative(date, now)}` : ''}
    </time>
  )
}

/** Width of a column of {@link ScheduledTime}, wide enough for long names of zones. */
export const scheduledTimeWidth = 'minmax(214px, 1fr)'

/** Returns a string as wide as {@link ScheduledTime}, to measure the width of its column. */
export function scheduledTimeText(value: TimeInput | null | undefined, timeZone: string | null): string {
  return value === null || value === undefined || timeZone === null ? '—' : `0000-00-00 00:00 ${timeZone}`
}

/**
 * Shows a time of a schedule in its zone, with the name of the zone: `2026-11-24 07:00 Europe/Berlin`; a dash if there
 * is none.
 */
export function ScheduledTime({
  value,
  timeZone,
}: {
  value: TimeInput | null | undefined
  timeZone: string
}) {
  return <Time value={value} show="minute" timeZone={timeZone} withZone />
}

/** Returns the current time and updates it periodically. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
