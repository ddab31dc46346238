import { expect, test } from 'vitest'
import type { UserSettings } from '../contract/index.ts'
import { changedSettings, landingPath, tabsProblem } from './changed-settings.ts'

const present = { darkmode: 'OFF', definedTime: 'UTC', decimalPrecision: 2 } as UserSettings

test('SH-093 omits unchanged values, and returns nothing when nothing changed', () => {
  expect(changedSettings(present, { darkmode: 'OFF', decimalPrecision: 2 })).toBeUndefined()
  expect(changedSettings(present, { darkmode: 'ON', definedTime: 'UTC' })).toEqual({ darkmode: 'ON' })
  expect(changedSettings(present, {})).toBeUndefined()
})

test('SH-098 SH-099 rejects tabs that are not a list in JSON', () => {
  expect(tabsProblem('{broken')).toBe('Dashboard user tabs is not a proper JSON')
  expect(tabsProblem('{"tag":"a"}')).toBe('Dashboard user tabs is not a proper JSON')
  expect(tabsProblem('')).toBe('Dashboard user tabs is not a proper JSON')
  expect(tabsProblem('[{"tag":"a"}]')).toBeUndefined()
  expect(tabsProblem('[]')).toBeUndefined()
})

test('SH-094 SH-148 SH-150 maps the landing page to one of four areas, and any other value to Insight', () => {
  expect(landingPath('data lake')).toBe('/Lake')
  expect(landingPath('data science')).toBe('/Science')
  expect(landingPath('data storage')).toBe('/Storage')
  expect(landingPath('insight')).toBe('/Insight')
  expect(landingPath('the moon')).toBe('/Insight')
  expect(landingPath(undefined)).toBeUndefined()
})
