import { expect, test } from 'vitest'
import { drawSession } from './monitoring.ts'

/** Returns how many of ten thousand sessions are sampled, with numbers distributed evenly from 0 to 1. */
function countDrawn(rates: { session: number; replay: number }) {
  const drawn = Array.from({ length: 10_000 }, (_, index) => {
    const numbers = [(index % 100) / 100, Math.floor(index / 100) / 100]
    return drawSession(rates, () => numbers.shift()!)
  })
  return {
    monitored: drawn.filter(({ isMonitored }) => isMonitored).length,
    recorded: drawn.filter(({ isRecorded }) => isRecorded).length,
  }
}

test.each([
  { rates: { session: 100, replay: 20 }, monitored: 10_000, recorded: 2_000 },
  { rates: { session: 50, replay: 20 }, monitored: 5_000, recorded: 1_000 },
  { rates: { session: 0, replay: 100 }, monitored: 0, recorded: 0 },
  { rates: { session: 100, replay: 0 }, monitored: 10_000, recorded: 0 },
])(
  'SH-032 samples $rates.session% of the sessions and $rates.replay% of those for replay',
  ({ rates, ...counts }) => {
    expect(countDrawn(rates)).toEqual(counts)
  },
)
