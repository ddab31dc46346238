import { expect, test } from 'vitest'
import type { UserSettings } from '../contract/index.ts'
import { changedSettings, landingPath, tabsProblem } from './changed-settings.ts'

const present = { darkmode: 'OFF', definedTime: 'UTC', decimalPrecision: 2 } as UserSettings

test('SH-093 a value that is as it was is not sent, and nothing is sent when nothing changed', () => {
  expect(changedSettings(present, { darkmode: 'OFF', decimalPrecision: 2 })).toBeUndefined()
  expect(changedSettings(present, { darkmode: 'ON', definedTime: 'UTC' })).toEqual({ darkmode: 'ON' })
  expect(changedSettings(present, {})).toBeUndefined()
})

test('SH-098 SH-099 DP-566 DP-567 tabs must be the JSON of a list', () => {
  expect(tabsProblem('{broken')).toBe('Dashboard user tabs is not a proper JSON')
  expect(tabsProblem('{"tag":"a"}')).toBe('Dashboard user tabs is not a proper JSON')
  expect(tabsProblem('[{"tag":"a"}]')).toBeUndefined()
  expect(tabsProblem('')).toBeUndefined()
})

test('SH-094 the landing page is one of four areas, any other value is Insight, none is none', () => {
  expect(landingPath('data lake')).toBe('/Lake')
  expect(landingPath('data science')).toBe('/Science')
  expect(landingPath('data storage')).toBe('/Storage')
  expect(landingPath('insight')).toBe('/Insight')
  expect(landingPath('the moon')).toBe('/Insight')
  expect(landingPath(undefined)).toBeUndefined()
})
