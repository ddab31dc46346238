import { invalidInput } from '@headwater/contract'
import type { Fill, Selection } from '@headwater/timeseries'
import type { DataKey } from '../contract/index.ts'

/** Offset in time and fill of gaps for the series of a key. */
export type SeriesVariant = Pick<Selection, 'shift' | 'fill'>

const maxOffset = 1_000_000
const maxAveragePoints = 1000

/**
 * Reads the offset and fill of a key.
 * @param at path of the key in the query, for errors, for example `keys[2]`
 */
export function seriesVariant(key: DataKey, at: string): SeriesVariant {
  const shift = shiftOf(key, `${at}.offsetAmount`)
  const fill = fillOf(key, at)
  return { ...(shift === undefined ? {} : { shift }), ...(fill === undefined ? {} : { fill }) }
}

function shiftOf({ offsetType, offsetAmount }: DataKey, field: string): SeriesVariant['shift'] {
  const text = String(offsetAmount ?? '').trim()
  if (offsetType === undefined || !/^[+-]?\d+$/.test(text)) return undefined
  const amount = Number(text)
  if (Math.abs(amount) > maxOffset)
    throw invalidInput([
      { field, message: `The offset is ${text}; allowed are whole numbers from -1,000,000 to 1,000,000.` },
    ])
  return amount === 0 ? undefined : { amount, unit: offsetType }
}

/**
 * Reads the fill of a key or of spans.
 * @param at path of the key in the query, for errors
 */
export function fillOf(
  { fillType, avgPointsAmount, fillMaxAge }: Partial<DataKey>,
  at: string,
): Fill | undefined {
  if (fillMaxAge !== undefined && fillType !== 'PREVIOUS')
    throw invalidInput([
      {
        field: `${at}.fillMaxAge`,
        message: 'fillMaxAge needs the fill PREVIOUS. Remove fillMaxAge, or fill with PREVIOUS.',
      },
    ])
  switch (fillType) {
    case undefined:
    case 'NONE':
      return undefined
    case 'AVERAGE': {
      const text = String(avgPointsAmount ?? '').trim()
      if (text === '') return undefined
      const points = Number(text)
      if (Number.isInteger(points) && points >= 1 && points <= maxAveragePoints)
        return { kind: 'average', points }
      throw invalidInput([
        {
          field: `${at}.avgPointsAmount`,
          message: `“${text}” is not a whole number from 1 to ${maxAveragePoints}.`,
        },
      ])
    }
    case 'PREVIOUS':
      return { kind: 'previous', ...(fillMaxAge === undefined ? {} : { maxAgeMs: fillMaxAge }) }
    default:
      return { kind: fillKinds[fillType] }
  }
}

const fillKinds = {
  NEXT: 'next',
  NEAREST: 'nearest',
  LINEAR: 'linear',
  ZERO: 'zero',
} as const
