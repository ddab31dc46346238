import { expect, test } from 'vitest'
import { INTERPOLATIONS, LAYOUTS } from '@headwater/charts'
import { choiceLabel } from './choice-label.ts'

test('choices are called in sentence case, axes by their letter', () => {
  expect(LAYOUTS.map(choiceLabel)).toEqual(['Horizontal', 'Vertical'])
  expect(['linear', 'basisClosed', 'stepBefore', 'bumpX', 'monotoneY'].map(choiceLabel)).toEqual([
    'Linear',
    'Basis closed',
    'Step before',
    'Bump X',
    'Monotone Y',
  ])
  expect(new Set(INTERPOLATIONS.map(choiceLabel)).size).toBe(INTERPOLATIONS.length)
})
