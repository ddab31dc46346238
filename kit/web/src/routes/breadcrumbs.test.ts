import { describe, expect, test } from 'vitest'
import { breadcrumbsOf } from './breadcrumbs.ts'

function way(url: string): string {
  const { pathname, search, hash } = new URL(url, 'http://localhost')
  return breadcrumbsOf(pathname, search, hash)
    .map(({ text }) => text)
    .join(' / ')
}

describe('SH-154 SH-155 SH-156 SH-157 SH-158 SH-159 SH-160 SH-161 SH-162 SH-163 each path of the specification has breadcrumbs', () => {
  test.each([
    ['SH-154', '/statuses', 'Statuses'],
    ['SH-155', '/ai-tools', 'AI tools'],
    ['SH-155', '/ai-tools/parser', 'AI tools / parser'],
    ['SH-155', '/ai-tools/transformer', 'AI tools / transformer'],
    ['SH-155', '/ai-tools/summarizer', 'AI tools / summarizer'],
    ['SH-155', '/AITools/Transformer', 'AI tools / Transformer'],
    ['SH-156', '/Lake#groups', 'Data lake / Groups'],
    ['SH-156', '/Lake#Files', 'Data lake / Files'],
    ['SH-156', '/lake/groups/Prices%20EU?query=f1', 'Data lake / Prices EU'],
    ['SH-157', '/storage/list', 'Data preps'],
    ['SH-157', '/storage/creator/Energy/Curve/4', 'Data preps / Energy / Curve'],
    ['SH-157', '/storage/creator/New', 'Data preps / New data prep'],
    ['SH-157', '/storage#table', 'Data preps / Table'],
    ['SH-157', '/storage/creator/Energy/Curve/4#table', 'Data preps / Energy / Curve'],
    ['SH-158', '/science/list#pipelines', 'Pipelines'],
    ['SH-158', '/science/task/creator/42', 'Tasks / 42'],
    ['SH-158', '/science/task/versions/42', 'Tasks / Versions'],
    ['SH-159', '/science/creator/Energy/Daily/latest', 'Pipelines / Energy / Daily'],
    ['SH-159', '/science/creator/New', 'Pipelines / New pipeline'],
    ['SH-159', '/science/versions/Energy/Daily', 'Pipelines / Energy / Daily / Versions'],
    ['SH-159', '/science/list/versions/Energy/Daily', 'Pipelines / Energy / Daily / Versions'],
    ['SH-160', '/science/dashboard#recent', 'Monitor'],
    ['SH-160', '/science/dashboard/details', 'Monitor / Details'],
    ['SH-160', '/science/dashboard/history/Energy/Daily', 'Monitor / Energy / Daily / Last runs'],
    ['SH-161', '/trash', 'Trash'],
    ['SH-162', '/myaccount#settings', 'My account / Settings'],
    ['SH-162', '/myaccount#storage', 'My account / Storage'],
    ['SH-162', '/myaccount#audit', 'My account / Audit log'],
    ['SH-162', '/myaccount/DatabaseAccountSetup', 'My account / Database account setup'],
    ['SH-162', '/myaccount/company/Acme', 'My account / Companies / Acme'],
    ['SH-162', '/myaccount/company/Acme/user/7', 'My account / Companies / Acme / 7'],
    ['SH-162', '/myaccount/user/anna@example.com', 'My account / Users / anna@example.com'],
    ['SH-162', '/myaccount/role/9', 'My account / Roles / 9'],
    ['SH-163', '/insight', 'Insight'],
    ['SH-163', '/insight/Energy', 'Insight / Energy'],
    ['SH-163', '/insight/Energy/Crude', 'Insight / Energy / Crude'],
    ['SH-163', '/insight/Energy/Crude/deeper', 'Insight / Energy / Crude / deeper'],
    ['SH-163', '/Public/Insight/Energy/Crude', 'Insight / Energy / Crude'],
  ])('%s %s has breadcrumbs', (_id, url, expected) => {
    expect(way(url)).toBe(expected)
  })
})

test('SH-156 every breadcrumb except the last is a link, and a group keeps its query', () => {
  const crumbs = breadcrumbsOf('/insight/Energy%20EU/Crude')
  expect(crumbs.map(({ href }) => href)).toEqual(['/Insight', '/Insight/Energy%20EU', undefined])
  expect(breadcrumbsOf('/lake/groups/Prices%20EU/more', '?query=f1').map(({ href }) => href)).toEqual([
    '/Lake#Groups',
    '/Lake/Groups/Prices%20EU?query=f1',
    undefined,
  ])
})

test.each([
  ['SH-155', '/ai-tools/parser', ['/AITools']],
  ['SH-156', '/lake/groups/Prices', ['/Lake#Groups']],
  ['SH-157', '/storage/creator/New', ['/Storage#DataPreps']],
  ['SH-158', '/science/task/creator/42', ['/Science/List#Tasks']],
  ['SH-159', '/science/creator/New', ['/Science/List#Pipelines']],
  ['SH-162', '/myaccount/DatabaseAccountSetup', ['/MyAccount#Settings']],
  ['SH-162', '/myaccount/user/anna@example.com', ['/MyAccount#Settings', '/MyAccount#Users']],
  ['SH-162', '/myaccount/role/9', ['/MyAccount#Settings', '/MyAccount#Roles']],
  ['SH-163', '/insight/Energy/Crude/deeper', ['/Insight', '/Insight/Energy', '/Insight/Energy/Crude']],
])('%s the breadcrumbs of %s link to the pages above', (_id, url, expected) => {
  expect(breadcrumbsOf(url).map(({ href }) => href)).toEqual([...expected, undefined])
})

test('SH-160 the breadcrumb Monitor leads to the hash Recent', () => {
  for (const path of ['/science/dashboard/details', '/science/dashboard/history/Energy/Daily'])
    expect(breadcrumbsOf(path)).toContainEqual({ text: 'Monitor', href: '/Science/Monitor#Recent' })
})

test('unknown paths have no breadcrumbs, and invalid escapes never cause an exception', () => {
  expect(breadcrumbsOf('/nothing/here')).toEqual([])
  expect(breadcrumbsOf('/')).toEqual([])
  expect(breadcrumbsOf('/insight/100%')).toEqual([{ text: 'Insight', href: '/Insight' }, { text: '100%' }])
})
