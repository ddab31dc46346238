import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, vi } from 'vitest'
import { accessibilityProblems, openBrowser, openPage } from './open-browser.ts'

const faults = `<img src="data:,"><button></button><input>
  <p style="color: #aaa; background: #fff">faint</p><div role="checkbox" tabindex="5">box</div>`

const framed = (sandbox: string) =>
  `<iframe title="Inner" ${sandbox} srcdoc='<html lang="en"><title>Inner</title><main><h1>Inner</h1><a href="/x"></a><img src="data:,"></main></html>'></iframe>`

const page = (body: string) =>
  `<!doctype html><html lang="en"><title>Planted</title><body>${body}</body></html>`

test.each([
  ['nothing wrong', page('<main><h1>Good</h1><p>Text</p></main>')],
  ['planted faults', page(`<main><h1>Faults</h1>${faults}</main>`)],
  ['no landmarks and no heading', page('<p>Text</p>')],
  ['faults in a frame', page(`<main><h1>Outer</h1>${framed('')}</main>`)],
  ['faults in a sandboxed frame', page(`<main><h1>Outer</h1>${framed('sandbox="allow-scripts"')}</main>`)],
])('the accessibility check finds the same problems as axe: %s', async (name, html) => {
  const { page: opened } = await openPage(await openBrowser())
  await opened.setContent(html)
  const matches = await accessibilityProblems(opened)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  // AxeBuilder omits a frame without an error if it needs more than a second to inject axe.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { violations } = await new AxeBuilder({ page: opened })
    .withTags(tags)
    .analyze()
    .finally(() => vi.useRealTimers())
  const expected = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
  if (name === 'nothing wrong') expect(expected).toEqual([])
  else expect(expected).not.toEqual([])
  if (name.includes('frame')) expect(expected.join()).toContain('link-name')
  expect(matches.toSorted()).toEqual(expected.toSorted())
  await opened.context().close()
})

test('a faint text is found in the current colour scheme and in the other one; the page keeps its scheme', async () => {
  const { page: opened } = await openPage(await openBrowser())
  const root = opened.locator('html')
  for (const [scheme, expected] of [
    [
      'light',
      ['color-contrast: <p id="a">faint in light</p>', 'dark color-contrast: <p id="b">faint in dark</p>'],
    ],
    [
      'dark',
      ['color-contrast: <p id="b">faint in dark</p>', 'light color-contrast: <p id="a">faint in light</p>'],
    ],
  ] as const) {
    await opened.setContent(`<!doctype html>
      <html lang="en" data-mantine-color-scheme="${scheme}"><title>Schemes</title>
      <style>
        [data-mantine-color-scheme='light'] #a { color: #aaa; background: #fff }
        [data-mantine-color-scheme='dark'] #b { color: #444; background: #222 }
      </style>
      <main><h1>Schemes</h1><p id="a">faint in light</p><p id="b">faint in dark</p></main></html>`)
    expect(await accessibilityProblems(opened)).toEqual(expected)
    expect(await root.getAttribute('data-mantine-color-scheme')).toBe(scheme)
  }
  await opened.context().close()
})
