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

/** The present moment, told anew every so often. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
