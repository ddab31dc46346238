import { expect, test } from 'vitest'
import { freeName } from './trash-labels.ts'

test.each([
  ['prices.csv', 'prices (restored).csv'],
  ['prices.2024.csv', 'prices.2024 (restored).csv'],
  ['prices', 'prices (restored)'],
  ['.env', '.env (restored)'],
])('the suggestion for the taken name %s is %s', (name, suggestion) => {
  expect(freeName(name)).toBe(suggestion)
})
