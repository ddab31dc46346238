import type { ChartSpec } from '@headwater/charts'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases as data } from './cases/data.ts'
import { cases as interpolations } from './cases/interpolations.ts'
import { cases as kinds } from './cases/kinds.ts'
import { cases as settings } from './cases/settings.ts'
import { tiles } from './table-cases.ts'
import { openGallery } from './open-gallery.ts'
import type { Gallery } from './open-gallery.ts'

const CASES: Record<string, { title: string }> = {
  ...kinds,
  ...settings,
  ...interpolations,
  ...data,
  ...tiles,
}
const PICTURES = `${import.meta.dirname}/pictures`
/** Share of pixels that can differ, because machines smooth text differently. */
const TOLERANCE = 0.003

let gallery: Gallery

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true })
  gallery = await openGallery()
})

afterAll(async () => {
  await gallery?.close()
})

describe.each(Object.entries(CASES))('%s', (name, { title }) => {
  test.each(['light', 'dark'] as const)(`${title}: %s`, async (scheme) => {
    const { page, errors } = await gallery.open(name, scheme)
    const seen = await page.locator('.card').screenshot()
    await compare(page, `${name}-${scheme}`, seen)
    expect(errors).toEqual([])
  })
})

test('detects a picture of the other colour scheme', async () => {
  const { page } = await gallery.open('composed', 'light')
  const [light, dark] = await Promise.all(['light', 'dark'].map((scheme) => stored(`composed-${scheme}`)))
  expect(await difference(page, light!, light!)).toBe(0)
  expect(await difference(page, light!, dark!)).toBeGreaterThan(0.5)
})

test('detects a line of different thickness', async () => {
  const { page } = await gallery.open('domain-default', 'light')
  const before = await page.locator('.card').screenshot()
  await page.evaluate(() => {
    const spec = window.cases['domain-default']!.spec as ChartSpec
    window.charts['domain-default']!.update({ ...spec, series: [{ ...spec.series[0]!, thickness: 3 }] })
  })
  const after = await page.locator('.card').screenshot()
  expect(await difference(page, before, after)).toBeGreaterThan(TOLERANCE)
})

/** Compares with the stored picture. UPDATE=1 stores the picture instead. A changed picture is saved beside the stored one. */
async function compare(page: Page, name: string, seen: Buffer): Promise<void> {
  const changed = `${PICTURES}/${name}-changed.png`
  await rm(changed, { force: true })
  if (process.env['UPDATE']) {
    await writeFile(`${PICTURES}/${name}.png`, seen)
    return
  }
  const differs = await difference(page, await stored(name), seen)
  if (differs > TOLERANCE) await writeFile(changed, seen)
  expect(differs, `part of the pixels of ${name} that differ; see ${name}-changed.png`).toBeLessThanOrEqual(
    TOLERANCE,
  )
}

function stored(name: string): Promise<Buffer> {
  return readFile(`${PICTURES}/${name}.png`)
}

/** Returns the share of clearly different pixels of two pictures; 1 if their sizes differ. */
function difference(page: Page, a: Buffer, b: Buffer): Promise<number> {
  return page.evaluate(
    async ([first, second]) => {
      const pixels = async (base64: string) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())
        const pen = new OffscreenCanvas(image.width, image.height).getContext('2d')!
        pen.drawImage(image, 0, 0)
        return pen.getImageData(0, 0, image.width, image.height)
      }
      const [one, two] = [await pixels(first!), await pixels(second!)]
      if (one.width !== two.width || one.height !== two.height) return 1
      let differing = 0
      for (let i = 0; i < one.data.length; i += 4) {
        const far = [0, 1, 2].some((part) => Math.abs(one.data[i + part]! - two.data[i + part]!) > 32)
        if (far) differing++
      }
      return differing / (one.width * one.height)
    },
    [a.toString('base64'), b.toString('base64')],
  )
}
