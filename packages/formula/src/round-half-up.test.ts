import { expect, test } from 'vitest'
import { roundDecimal } from '../test/plain-decimal.ts'
import { Chances } from '../test/chances.ts'
import { roundHalfUp } from './round-half-up.ts'

test('rounds by the decimal digits of a number', () => {
  const random = new Chances(5)
  expect(roundHalfUp(1.005, 2)).toBe(1.01)
  expect(roundHalfUp(-2.5, 0)).toBe(-3)
  expect(roundHalfUp(Number.NaN, 2)).toBeNaN()
  for (let count = 0; count < 20_000; count++) {
    const decimals = random.below(16)
    const size = 10 ** (random.below(22) - 6)
    const value = (random.below(2_000_001) - 1_000_000) / 1000 / size
    const tie = Number(`${random.below(1_000_000)}.${random.below(100_000)}5`)
    for (const each of [value, tie, -tie, value * 1e9])
      if (Math.abs(each) < 2 ** 52)
        expect(`${each}: ${roundHalfUp(each, decimals) + 0}`).toBe(
          `${each}: ${Number(roundDecimal(each, decimals, 'HALF_UP')) + 0}`,
        )
  }
})
