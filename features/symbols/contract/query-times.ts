import { z } from 'zod'
import { cutText } from '@headwater/contract'

/** Days of the week; Monday is 1. */
export const weekdays = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const

const unitMinutes = { m: 1, h: 60, d: 1440, w: 10_080 } as const

/** Schema of a duration such as `90m`; parses to milliseconds. */
export function duration() {
  return z
    .string()
    .nullish()
    .transform((given, context) => {
      if (given === null || given === undefined || given === '') return undefined
      const [, count = '', unit = ''] = /^([1-9]\d{0,6})([mhdw])$/.exec(given.trim()) ?? []
      const amount = Number(count)
      if (unit !== '' && amount <= 1_000_000)
        return amount * unitMinutes[unit as keyof typeof unitMinutes] * 60_000
      context.addIssue({
        code: 'custom',
        message: `“${cutText(given)}” is not a duration. Write 90m, 6h, 2d or 1w.`,
      })
      return z.NEVER
    })
}

/** Schema of times of day such as `8-20` or `22:30-6`; parses to minutes since midnight. */
export function hourList() {
  return z
    .union([
      z.string().max(100),
      z.array(z.string().max(100)).max(24, 'There are more than 24 times of day.'),
    ])
    .nullish()
    .transform((given, context) => {
      const hours = [given ?? []].flat().map((text) => {
        const match = /^(\d{1,2})(?::(\d\d))?\s*-\s*(\d{1,2})(?::(\d\d))?$/.exec(text.trim())
        const [from, to] = [minuteOf(match?.[1], match?.[2]), minuteOf(match?.[3], match?.[4])]
        if (from !== undefined && to !== undefined && from !== to) return { from, to }
        context.addIssue({
          code: 'custom',
          message: `“${cutText(text)}” is not a range of hours. Write 8-20 or 22:30-6.`,
        })
        return undefined
      })
      const known = hours.filter((each) => each !== undefined)
      if (known.length < hours.length) return z.NEVER
      return known.length === 0 ? undefined : known
    })
}

function minuteOf(hour = '', minute = '0'): number | undefined {
  const minutes = Number(hour) * 60 + Number(minute)
  return hour !== '' && Number(minute) < 60 && minutes <= 1440 ? minutes : undefined
}

/** Schema of days of the week; parses to numbers, 1 = Monday, each once, or undefined without any. */
export function dayList() {
  return z
    .union([z.string().max(100), z.array(z.string().max(100)).max(100, 'There are more than 100 days.')])
    .nullish()
    .transform((given, context) => {
      const days = [given ?? []].flat().map((text) => {
        const name = text.trim().toUpperCase()
        const day = weekdays.findIndex((each) => each === name || each.slice(0, 3) === name) + 1
        const message = `“${cutText(text)}” is not one of ${weekdays.join(', ')}.`
        if (day === 0) context.addIssue({ code: 'custom', message })
        return day
      })
      if (days.includes(0)) return z.NEVER
      return days.length === 0 ? undefined : [...new Set(days)]
    })
}
