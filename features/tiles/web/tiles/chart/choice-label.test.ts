import { expect, test } from 'vitest'
import { INTERPOLATIONS, LAYOUTS } from '@headwater/charts'
import { choiceLabel } from './choice-label.ts'
import { interpolationOptions } from './interpolation-options.ts'

test('choices are labelled in sentence case, axes by their letter', () => {
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

test('the five most common interpolations come first, and each is offered once', () => {
  const offered = interpolationOptions.map(({ value }) => value)
  expect(offered.slice(0, 5)).toEqual(['linear', 'monotone', 'stepAfter', 'stepBefore', 'step'])
  expect(offered.toSorted()).toEqual([...INTERPOLATIONS].toSorted())
})
