import { createMemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { replaceRepeatedNavigation } from './replace-repeated.ts'

/** Navigates to addresses and returns those that going back visits. */
async function wayBack(...addresses: string[]): Promise<string[]> {
  const router = createMemoryRouter([{ path: '*' }], { initialEntries: ['/start'] })
  replaceRepeatedNavigation(router)
  for (const address of addresses) await router.navigate(address, { replace: false })
  const passed: string[] = []
  do {
    const { pathname, search, hash } = router.state.location
    passed.push(pathname + search + hash)
    if (router.state.location.pathname === '/start') break
    await router.navigate(-1)
  } while (passed.length < 10)
  router.dispose()
  return passed
}

test('visiting the same address twice adds one history entry', async () => {
  expect(await wayBack('/Lake/Groups/Prices', '/Lake/Groups/Prices')).toEqual([
    '/Lake/Groups/Prices',
    '/start',
  ])
})

test('addresses that differ in query or hash get separate entries', async () => {
  expect(await wayBack('/Lake', '/Lake?query=a', '/Lake?query=a#Files', '/Lake?query=a')).toEqual([
    '/Lake?query=a',
    '/Lake?query=a#Files',
    '/Lake?query=a',
    '/Lake',
    '/start',
  ])
})
