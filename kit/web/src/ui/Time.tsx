import { createContext, useContext, useEffect, useState } from 'react'
import {
  type Moment,
  type TimeStyle,
  formatMoment,
  formatRelative,
  formatUtc,
  parseMoment,
} from '../format/time.ts'

/** The zone of the reader; the session provides it. */
export const TimeZoneContext = createContext('UTC')

/** The zone times are shown in. */
export function useTimeZone(): string {
  return useContext(TimeZoneContext)
}

export interface TimeProps {
  /** Text without a zone is UTC; null or undefined shows a dash. */
  value: Moment | null | undefined
  /** Default `compact`. */
  show?: TimeStyle
  /** Adds how long ago it was. */
  relative?: boolean
  /** IANA zone to show it in, for times that are data; default the reader's. */
  timeZone?: string
}

/** A moment in the reader's zone, with UTC on hover. */
export function Time({ value, show = 'compact', relative, timeZone }: TimeProps) {
  const readersZone = useTimeZone()
  const zone = timeZone ?? readersZone
  const now = useNow(60_000)
  const date = value === null || value === undefined ? undefined : parseMoment(value)
  if (date === undefined) return <span>—</span>
  return (
    <time dateTime={date.toISOString()} title={formatUtc(date)}>
      {formatMoment(date, zone, show, now)}
      {relative ? ` · ${formatRelative(date, now)}` : ''}
    </time>
  )
}

/** Width of a column of {@link ScheduledTime}: room for the long names of zones. */
export const scheduledTimeWidth = 'minmax(214px, 1fr)'

/** Returns a text as wide as {@link ScheduledTime}, for the width of its column. */
export function scheduledTimeText(value: Moment | null | undefined, timeZone: string | null): string {
  return value === null || value === undefined || timeZone === null ? '—' : `0000-00-00 00:00 ${timeZone}`
}

/** A time of a schedule, in the zone of the schedule and with its name: `2026-11-24 07:00 Europe/Berlin`; a dash without one. */
export function ScheduledTime({ value, timeZone }: { value: Moment | null | undefined; timeZone: string }) {
  const time = <Time value={value} show="minute" timeZone={timeZone} />
  return value === null || value === undefined ? (
    time
  ) : (
    <span>
      {time} {timeZone}
    </span>
  )
}

/** The present moment, told anew every so often. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
