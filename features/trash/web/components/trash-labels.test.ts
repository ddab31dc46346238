import { expect, test } from 'vitest'
import type { TrashedObject } from '../../contract/index.ts'
import { freeName, labelsOf } from './trash-labels.ts'

test.each([
  ['prices.csv', 'prices (restored).csv'],
  ['prices.2024.csv', 'prices.2024 (restored).csv'],
  ['prices', 'prices (restored)'],
  ['.env', '.env (restored)'],
])('the suggestion for the taken name %s is %s', (name, suggestion) => {
  expect(freeName(name)).toBe(suggestion)
})

test.each([
  [[false], 'Its content is deleted.'],
  [[true], 'Its content and the series ingested from it are deleted.'],
  [[false, false], 'Their contents are deleted.'],
  [[false, true], 'Their contents and the series ingested from them are deleted.'],
])('the permanent deletion of files, of which %j are series files: %s', (areSeries, text) => {
  const files = areSeries.map((isSeries) => ({ file: { version: 1, isSeries } }) as TrashedObject)
  expect(labelsOf.files.loss(files)).toBe(text)
})
