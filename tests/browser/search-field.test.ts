import { expect, test } from 'vitest'
import { openBrowser, openPage } from './open-browser.ts'
import { servePage } from './serve-page.ts'

test('a search that is applied late does not replace what the user has typed meanwhile; another value does', async () => {
  const served = await servePage('search')
  const { page } = await openPage(await openBrowser())
  try {
    await page.goto(served.url)
    const field = page.getByRole('searchbox', { name: 'Search' })
    const type = async (letter: string, searches: string[]) => {
      await field.press('End')
      await field.press(letter)
      await expect.poll(async () => (await state()).searches).toEqual(searches)
    }
    const state = async () =>
      JSON.parse(await page.locator('output').innerText()) as { value: string; searches: string[] }
    const apply = (value: string) =>
      page
        .getByRole('button', { name: 'Apply next' })
        .click()
        .then(() => expect.poll(async () => (await state()).value).toBe(value))
    await type('a', ['a'])
    await type('b', ['a', 'ab'])
    await apply('a')
    expect(await field.inputValue()).toBe('ab')
    await type('c', ['ab', 'abc'])
    await apply('ab')
    await apply('abc')
    expect(await field.inputValue()).toBe('abc')

    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => field.inputValue()).toBe('reset')
    await field.fill('abc')
    await expect.poll(async () => (await state()).searches).toEqual(['abc'])
    await apply('abc')
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => field.inputValue()).toBe('reset')
  } finally {
    await page.context().close()
    await served.close()
  }
})
