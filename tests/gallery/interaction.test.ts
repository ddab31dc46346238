import type { ChartSpec } from '@headwater/charts'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGallery } from './open-gallery.ts'
import type { Gallery } from './open-gallery.ts'

let gallery: Gallery

beforeAll(async () => {
  gallery = await openGallery()
})

afterAll(async () => {
  await gallery?.close()
})

async function withChart(name: string, run: (page: Page) => Promise<void>): Promise<void> {
  const { page, errors } = await gallery.open(name, 'light')
  await run(page)
  expect(errors).toEqual([])
}

const windowOf = (page: Page) => page.evaluate(() => ({ ...Object.values(window.charts)[0]!.window }))
const statsOf = (page: Page) => page.evaluate(() => Object.values(window.charts)[0]!.stats)
const plotOf = async (page: Page) => (await page.locator('.hw-chart-over').boundingBox())!
/** Longer than the maximum interval of a double click. */
const pause = (page: Page) => page.waitForTimeout(600)
const tip = (page: Page) => page.locator('.hw-chart-tip')
const rows = (page: Page) => tip(page).locator('.hw-chart-row').allInnerTexts()

test('the pointer shows one tooltip with the exact values of all series', () =>
  withChart('bars', async (page) => {
    const { x, y, width, height } = await plotOf(page)
    await page.mouse.move(x + width * 0.375, y + height / 2)
    await expect.poll(() => tip(page).locator('b').innerText()).toBe('Thu 01 May 2025')
    const expected = await page.evaluate(() =>
      (window.cases['bars']!.spec as ChartSpec).series.map(({ label, y: values }) =>
        `${label}\n${values[4]!.toFixed(1)}`.replace('-', '−'),
      ),
    )
    expect(await rows(page)).toEqual(expected)
    await page.mouse.move(x + width / 2, y + height + 200)
    await expect.poll(() => tip(page).isHidden()).toBe(true)
  }))

test('dragging zooms, Shift+drag and dragging on the axis pan, double click shows all', () =>
  withChart('domain-default', async (page) => {
    const { x, y, width, height } = await plotOf(page)
    const all = await windowOf(page)
    const span = all.to - all.from
    const drag = async (from: number, to: number, top = height / 2) => {
      await page.mouse.move(x + width * from, y + top)
      await page.mouse.down()
      await page.mouse.move(x + width * to, y + top, { steps: 4 })
      await page.mouse.up()
    }
    await drag(0.75, 0.25)
    const zoomed = await windowOf(page)
    expect((zoomed.from - all.from) / span).toBeCloseTo(0.25, 2)
    expect((zoomed.to - all.from) / span).toBeCloseTo(0.75, 2)

    await page.keyboard.down('Shift')
    await drag(0.5, 0.25)
    await page.keyboard.up('Shift')
    const panned = await windowOf(page)
    expect((panned.from - zoomed.from) / span).toBeCloseTo(0.125, 2)
    expect(panned.to - panned.from).toBeCloseTo(zoomed.to - zoomed.from, -3)

    await drag(0.25, 0.5, height + 12)
    expect(((await windowOf(page)).from - zoomed.from) / span).toBeCloseTo(0, 2)

    await page.mouse.dblclick(x + width / 2, y + height / 2)
    await expect.poll(() => windowOf(page)).toEqual(all)
  }))

test('after a zoom the axis fits the visible values, and starts at zero if there are bars; a fixed domain stays unchanged', async () => {
  const zoomedTicks = async (name: string) => {
    let ticks: [string[], string[]] = [[], []]
    await withChart(name, async (page) => {
      ticks = await page.evaluate(async () => {
        const chart = Object.values(window.charts)[0]!
        const { from, to } = chart.window
        const read = async () =>
          [...(await chart.toSvg()).matchAll(/text-anchor="end"[^>]*>([^<]+)</g)].map(([, text]) => text!)
        const before = await read()
        chart.zoom(from + (to - from) * 0.4, from + (to - from) * 0.5)
        return [before, await read()]
      })
    })
    return ticks
  }
  const [all, zoomed] = await zoomedTicks('domain-default')
  expect(all).not.toContain('0')
  expect(zoomed).not.toContain('0')
  expect(zoomed).not.toEqual(all)
  const [, bars] = await zoomedTicks('bars')
  expect(bars).toContain('0')
  const [fit, fitZoomed] = await zoomedTicks('domain-fit-to-data')
  expect(fitZoomed).toEqual(fit)
})

test('Ctrl and the wheel zoom around the pointer, Shift and the wheel move the window; the wheel alone scrolls the page', () =>
  withChart('domain-default', async (page) => {
    const { x, y, width, height } = await plotOf(page)
    const all = await windowOf(page)
    const at = all.from + (all.to - all.from) * 0.25
    await page.mouse.move(x + width * 0.25, y + height / 2)
    await page.mouse.wheel(0, -100)
    await expect.poll(() => windowOf(page)).toEqual(all)
    const turn = async (key: 'Control' | 'Shift', byX: number, byY: number) => {
      await page.keyboard.down(key)
      await page.mouse.wheel(byX, byY)
      await page.keyboard.up(key)
    }
    await turn('Control', 0, -100)
    await expect.poll(async () => (await windowOf(page)).to).toBeLessThan(all.to)
    const { from, to } = await windowOf(page)
    expect((at - from) / (to - from)).toBeCloseTo(0.25, 2)

    // Some browsers report the wheel as horizontal while Shift is pressed.
    await turn('Shift', 100, 0)
    await expect.poll(async () => (await windowOf(page)).from).toBeGreaterThan(from)
    const panned = await windowOf(page)
    expect((panned.to - panned.from) / (to - from)).toBeCloseTo(1, 6)
    await turn('Shift', 0, -100)
    await expect.poll(async () => (await windowOf(page)).from).toBeLessThan(panned.from)
    expect(((await windowOf(page)).from - from) / (to - from)).toBeCloseTo(0, 6)
  }))

test('arrow keys announce point by point; plus zooms, Escape shows all', () =>
  withChart('bars', async (page) => {
    const plot = page.locator('.hw-chart-plot')
    expect(await plot.getAttribute('role')).toBe('application')
    expect(await plot.getAttribute('aria-label')).toContain('3 series, from')
    await plot.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => tip(page).locator('b').innerText()).toBe('Wed 01 Jan 2025')
    await page.keyboard.press('ArrowRight')
    const [imports] = await rows(page)
    const live = await page.locator('[aria-live=polite]').innerText()
    expect(live).toContain('Sat 01 Feb 2025: Imports ' + imports!.split('\n')[1])
    const all = await windowOf(page)
    await page.keyboard.press('+')
    const zoomed = await windowOf(page)
    expect(zoomed.to - zoomed.from).toBeLessThan(all.to - all.from)
    await page.keyboard.press('Escape')
    await expect.poll(() => windowOf(page)).toEqual(all)
    await expect.poll(() => tip(page).isHidden()).toBe(true)
  }))

test('the legend hides and shows a series; Alt+click and double click isolate it', () =>
  withChart('bars', async (page) => {
    const button = (name: string) => page.locator('.hw-chart-legend button', { hasText: name })
    const displayed = () => page.evaluate(() => window.charts['bars']!.toTable().columns.slice(1))
    await button('Exports').click()
    await expect.poll(() => button('Exports').getAttribute('aria-pressed')).toBe('false')
    await expect.poll(displayed).toEqual(['Imports', 'Balance'])
    await button('Exports').click()
    await pause(page)
    await button('Exports').click({ modifiers: ['Alt'] })
    await expect.poll(displayed).toEqual(['Exports'])
    await pause(page)
    await button('Exports').click({ modifiers: ['Alt'] })
    await expect.poll(displayed).toEqual(['Imports', 'Exports', 'Balance'])
    await pause(page)
    await button('Balance').dblclick()
    await expect.poll(displayed).toEqual(['Balance'])
    await pause(page)
    await button('Balance').dblclick()
    await expect.poll(displayed).toEqual(['Imports', 'Exports', 'Balance'])
  }))

test('the key of a series in legend, tooltip and picture has the opacity of the series', () =>
  withChart('scatter', async (page) => {
    const opacities = (part: string) =>
      page
        .locator(`${part} .hw-chart-mark`)
        .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).opacity))
    expect(await opacities('.hw-chart-legend')).toEqual(['1', '0.55'])
    await page.locator('.hw-chart-plot').focus()
    await page.keyboard.press('Home')
    await expect.poll(() => opacities('.hw-chart-tip')).toEqual(['1', '0.55'])
    const svg = await page.evaluate(() => window.charts['scatter']!.toSvg())
    const [key] = /<path[^>]*>\s*<text[^>]*>Winter/.exec(svg)!
    expect(key).toContain('opacity="0.55"')
  }))

test('a legend without free space does not capture the wheel; a button opens all of it', () =>
  withChart('many-series', async (page) => {
    const legend = page.locator('.hw-chart-legend')
    const heights = () => legend.evaluate((list) => [list.clientHeight, list.scrollTop])
    const [closed = 0] = await heights()
    await legend.hover()
    await page.mouse.wheel(0, 400)
    await pause(page)
    expect(await heights()).toEqual([closed, 0])
    await page.getByRole('button', { name: 'Show all 200' }).click()
    await expect.poll(async () => (await heights())[0]).toBeGreaterThan(closed)
    await legend.hover()
    await page.mouse.wheel(0, 400)
    await expect.poll(async () => (await heights())[1]).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Show fewer' }).click()
    await expect.poll(heights).toEqual([closed, 0])
  }))

test('reports how many of the points it drew, and draws raw points when zoomed', () =>
  withChart('million', async (page) => {
    const whole = await statsOf(page)
    expect(whole.rawPoints).toBe(1_000_000)
    const { width } = await plotOf(page)
    expect(whole.drawnPoints).toBeLessThanOrEqual(2 * Math.ceil(width))
    expect(whole.drawnPoints).toBeGreaterThan(width)
    await page.evaluate(() => window.charts['million']!.zoom(Date.UTC(2024, 5, 1), Date.UTC(2024, 5, 1, 10)))
    expect(await statsOf(page)).toEqual({ rawPoints: 601, drawnPoints: 601 })
  }))

test('colours follow the scheme after restyle, and size follows the container', () =>
  withChart('domain-default', async (page) => {
    // Line and grid have a transparent background, so the most frequent colour is compared.
    const colors = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas')!
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
        const seen = new Set<string>()
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3] === 255) seen.add([data[i], data[i + 1], data[i + 2]].join())
        }
        return { line: seen.has('43,123,186'), darkLine: seen.has('90,166,223'), width: canvas.width }
      })
    expect(await colors()).toMatchObject({ line: true, darkLine: false })
    await page.evaluate(() => {
      document.documentElement.dataset['scheme'] = 'dark'
      window.charts['domain-default']!.restyle()
    })
    expect(await colors()).toMatchObject({ line: false, darkLine: true })
    const { width } = await colors()
    await page.evaluate(() => (document.querySelector<HTMLElement>('.card')!.style.width = '500px'))
    await expect.poll(async () => (await colors()).width).toBe(width + 140)
  }))

test('labels are text and never become elements', () =>
  withChart('hostile', async (page) => {
    expect(await page.locator('.hw-chart img, .hw-chart script, .hw-chart b b').count()).toBe(0)
    const svg = await page.evaluate(() => window.charts['hostile']!.toSvg())
    expect(svg).not.toContain('<img')
    expect(svg).not.toContain('<script')
    const wellFormed = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
      return parsed.querySelector('parsererror') === null && parsed.documentElement.localName === 'svg'
    }, svg)
    expect(wellFormed).toBe(true)
  }))

test('PNG, SVG and CSV contain the visible part of the chart', () =>
  withChart('composed', async (page) => {
    const result = await page.evaluate(async () => {
      const chart = window.charts['composed']!
      const png = await createImageBitmap(await chart.toPng(2))
      const svg = await chart.toSvg()
      const image = new Image()
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
      await image.decode()
      return {
        png: [png.width, png.height],
        svg: [image.width * 2, image.height * 2],
        text: svg,
        rows: await chart.toRows(),
      }
    })
    expect(result.png[0]).toBeGreaterThan(1700)
    expect(result.png).toEqual(result.svg)
    for (const text of ['Brent', 'Henry Hub, right', '2024', '100'])
      expect(result.text).toContain(`>${text}</text>`)
    expect(result.rows[0]).toEqual(['time', 'Brent', 'WTI', 'Henry Hub'])
    expect(result.rows).toHaveLength(1201)
    expect(result.rows[1]![0]).toBe('2022-01-03T00:00:00.000Z')
  }))

test('an exported picture has a title, and any width with text of the same size', () =>
  withChart('bars', async (page) => {
    const result = await page.evaluate(async () => {
      const chart = window.charts['bars']!
      const [plain, titled] = [await chart.toSvg(), await chart.toSvg({ title: 'Trade <b>' })]
      chart.zoom(chart.window.from, (chart.window.from + chart.window.to) / 2)
      const narrow = await chart.toSvg({ width: 400 })
      const png = await createImageBitmap(await chart.toPng(2, { width: 400 }))
      const charts = document.querySelectorAll('.hw-chart').length
      return { plain, titled, narrow, png: png.width, charts, view: chart.window }
    })
    expect(result.plain).not.toContain('Trade')
    expect(result.titled).toContain('>Trade &#60;b&#62;</text>')
    expect(result.narrow).toMatch(/^<svg[^>]* width="400"/)
    expect(result.png).toBe(800)
    const sizes = (svg: string) => new Set(svg.match(/font-size="[^"]+"/g))
    expect(sizes(result.narrow)).toEqual(sizes(result.plain))
    expect(result.charts).toBe(1)
    expect(await windowOf(page)).toEqual(result.view)
  }))

test('a picture with another width omits the series that the legend hides', () =>
  withChart('bars', async (page) => {
    const shapes = () =>
      page.evaluate(async () => {
        const svg = await window.charts['bars']!.toSvg({ width: 400 })
        return svg.match(/<(rect|path)/g)!.length
      })
    const all = await shapes()
    await page.locator('.hw-chart-legend button').first().click()
    await expect.poll(shapes).toBeLessThan(all)
  }))

test('two hundred series stay inside the container; the tooltip lists the nearest and counts the others', () =>
  withChart('many-series', async (page) => {
    const { x, y, width, height } = await plotOf(page)
    expect(height).toBeGreaterThan(120)
    await page.mouse.move(x + width / 2, y + height / 2)
    expect((await rows(page)).length).toBeLessThan(20)
    await expect.poll(() => tip(page).innerText()).toMatch(/\+ 18\d more/)
    const card = (await page.locator('.card').boundingBox())!
    const box = (await tip(page).boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(card.y + card.height)
  }))

test('after destroy nothing remains, and methods have no effect', () =>
  withChart('composed', async (page) => {
    const left = await page.evaluate(() => {
      const chart = window.charts['composed']!
      chart.destroy()
      chart.zoom(0, 1)
      chart.restyle()
      chart.setCursor(5)
      chart.destroy()
      return document.querySelector('.card')!.childElementCount
    })
    expect(left).toBe(0)
  }))
