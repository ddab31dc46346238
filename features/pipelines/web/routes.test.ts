import { expect, test } from 'vitest'
import { isEntitled, resources } from '@headwater/accounts/contract'
import { pipelinesWeb } from './index.ts'

test('DP-432 the pages of the creator require its entitlement, which has the mode RWS', () => {
  const granted = resources.map(({ name, ...rest }) => ({ resource: name, ...rest }))
  expect(isEntitled(granted, 'Creator', 'RWS', 'Science')).toBe(true)
  const pages = pipelinesWeb.routes.filter(({ path }) => /^Science\/Creator(\/|$)/.test(path))
  expect(pages.map(({ path, access }) => [path, access])).toEqual(
    ['', '/New', '/:groupName/:name/:version?'].map((rest) => [
      `Science/Creator${rest}`,
      { resource: 'Creator', parent: 'Science' },
    ]),
  )
})
