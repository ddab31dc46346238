import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
let teal: Buffer
let gold: Buffer
let pdf: Buffer

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Reports', 'Pictures']) await anna.call(createGroup, { body: { name } })
  const page = await stage.browser.newPage({ viewport: { width: 300, height: 150 } })
  await page.setContent('<body style="margin:0;background:teal">')
  teal = await page.screenshot()
  await page.setViewportSize({ width: 200, height: 100 })
  await page.setContent('<body style="margin:0;background:gold">')
  gold = await page.screenshot({ type: 'jpeg' })
  await page.setContent('<h1>The report</h1>')
  pdf = await page.pdf({ format: 'A4' })
  await page.context().close()
})

const png = (name: string, buffer = teal) => ({ name, mimeType: 'image/png', buffer })
const gif = { name: 'moving.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') }
const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const area = (page: Page) => page.getByRole('group', { name: 'Upload from this computer' })
const input = (page: Page) => area(page).locator('input[type=file]')
const widthOf = (page: Page, title: string) =>
  tile(page, title)
    .getByRole('img', { name: title })
    .evaluate((element) => (element as HTMLImageElement).naturalWidth)

/** Opens the settings of the only tile of a new insight. */
async function edit(insightName: string, type: 'IMAGE' | 'PDF'): Promise<Page> {
  const source = { type: 'FILE', value: { groupName: '', fileName: '' } }
  const content = { ...emptyContent(), tiles: [{ id: 't', type, title: 'Map', source }] } as never
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
  const page = await stage.open(`/Insight/Reports/${insightName}?edit=true#Map`, anna)
  await tile(page, 'Map').click()
  await area(page).waitFor()
  return page
}

/** Chooses a file like a user: Chromium reports no change when the field has that file already, unlike `setInputFiles`. */
async function chooseLikeUser(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const expression = `document.querySelector('[aria-label="Upload from this computer"] input[type=file]')`
  const { result } = await session.send('Runtime.evaluate', { expression })
  await session.send('DOM.setFileInputFiles', { files: [path], objectId: result.objectId! })
  await session.detach()
}

/** Drops files with given names and contents on the drop area. */
async function drop(page: Page, files: { name: string; buffer: Buffer }[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (all) => {
      const data = new DataTransfer()
      for (const { name, bytes } of all) data.items.add(new File([new Uint8Array(bytes)], name))
      return data
    },
    files.map(({ name, buffer }) => ({ name, bytes: [...buffer] })),
  )
  await area(page).getByText('here, or').dispatchEvent('drop', { dataTransfer: transfer })
}

const storedSource = async (insightName: string) =>
  (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).content.tiles[0]!.source
const versionsOf = async (name: string) =>
  (await anna.call(searchFiles, { query: { query: `name=${name}`, size: 10 } })).items.map(
    ({ groupName, version }) => `${groupName} ${version}`,
  )

test('DP-152 DP-153 IN-110 IN-394 the image picker accepts one PNG or JPEG by choice or drop and shows it at once', async () => {
  const page = await edit('Picture', 'IMAGE')
  expect(await input(page).getAttribute('accept')).toBe('.png,.jpg,.jpeg')
  expect(await input(page).getAttribute('multiple')).toBeNull()
  expect(await accessibilityProblems(page)).toEqual([])
  const reported = area(page).getByRole('alert')
  await input(page).setInputFiles(gif)
  await reported
    .getByText('moving.gif is not a PNG or JPEG image. Choose a file that ends in .png, .jpg or .jpeg.')
    .waitFor()
  await drop(page, [{ ...gif, name: 'moving.png' }])
  await reported.getByText('moving.png is not a PNG or JPEG image, despite its name.').waitFor()
  await drop(page, [png('one.png'), png('two.png')])
  await reported.getByText('The tile shows one PNG or JPEG image. Choose one file.').waitFor()
  for (const name of ['moving.gif', 'moving.png', 'one.png', 'two.png'])
    expect(await versionsOf(name)).toEqual([])

  await area(page).getByText('Uploads to the group Reports.').waitFor()
  const announced = page
    .waitForResponse(
      (response) => response.request().method() === 'POST' && new URL(response.url()).pathname === '/file',
    )
    .then((response) => response.json() as Promise<{ location: string; fileId: string }>)
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await input(page).setInputFiles(png('map.png'))
  await page.getByText('File has been uploaded.').waitFor()
  const { location, fileId } = await announced
  expect((await sent).url()).toBe(location)
  expect((await sent).headers()['content-type']).toBe('application/octet-stream')
  const stored = await (await anna.fetch(`/file/${fileId}/download`)).arrayBuffer()
  expect(Buffer.from(stored).equals(png('map.png').buffer)).toBe(true)
  await expect.poll(() => widthOf(page, 'Map')).toBe(300)
  await drop(page, [{ name: 'gold.jpg', buffer: gold }])
  await expect.poll(() => widthOf(page, 'Map')).toBe(200)
  expect(await reported.count()).toBe(0)

  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  expect(await storedSource('Picture')).toEqual({
    type: 'FILE',
    value: { groupName: 'Reports', fileName: 'gold.jpg' },
  })
})

test('an image is uploaded to another group; a taken name becomes a new version only after a confirmation', async () => {
  await upload(anna, { groupName: 'Pictures', fileName: 'plan.png', content: teal as never })
  const page = await edit('Elsewhere', 'IMAGE')
  await area(page).getByRole('button', { name: 'Change' }).click()
  await area(page).getByLabel('Upload into').click()
  await page.getByRole('option', { name: 'Pictures' }).click()
  await input(page).setInputFiles(png('plan.png'))
  await area(page).getByText('Pictures already has a file plan.png.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await area(page).getByRole('button', { name: 'Cancel' }).click()
  await area(page).getByText('already').waitFor({ state: 'detached' })
  expect(await versionsOf('plan.png')).toEqual(['Pictures 1'])
  await input(page).setInputFiles(png('plan.png'))
  await area(page).getByRole('button', { name: 'Upload new version' }).click()
  await page.getByText('File has been uploaded.').waitFor()
  await expect.poll(() => widthOf(page, 'Map')).toBe(300)
  expect((await versionsOf('plan.png')).toSorted()).toEqual(['Pictures 1', 'Pictures 2'])
})

test('an upload displays its progress, can be cancelled, and reports the reason for a failure', async () => {
  const page = await edit('Failing', 'IMAGE')
  let hold = true
  await page.route(
    (url) => url.pathname.startsWith('/file/'),
    async (route) => {
      if (route.request().method() !== 'PUT') await route.continue()
      else if (!hold)
        await route.fulfill({
          status: 507,
          json: { status: 507, code: 'noRoom', message: 'The disk is full.' },
        })
    },
  )
  await area(page).getByRole('button', { name: 'choose a file' }).focus()
  await input(page).setInputFiles(png('chart.png'))
  await area(page).getByRole('progressbar', { name: 'Upload of chart.png' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel upload')
  await page.keyboard.press('Enter')
  await area(page).getByText('Drop a PNG or JPEG image here, or').waitFor()
  expect(await area(page).getByRole('alert').count()).toBe(0)
  hold = false
  await input(page).setInputFiles(png('chart.png'))
  await area(page).getByRole('alert').getByText('The disk is full.').waitFor()
  await tile(page, 'Map').getByText('No image yet').waitFor()
})

test('a local PDF opens in its tile; other files are rejected, and can be corrected and chosen again', async () => {
  const page = await edit('Paper', 'PDF')
  await input(page).setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await area(page).getByText('notes.txt is not a PDF. Choose a file that ends in .pdf.').waitFor()
  const folder = await mkdtemp(join(tmpdir(), 'headwater-uploads-'))
  try {
    const path = join(folder, 'report.pdf')
    await writeFile(path, 'not yet')
    await chooseLikeUser(page, path)
    await area(page).getByText('report.pdf is not a PDF, despite its name.').waitFor()
    await writeFile(path, pdf)
    await chooseLikeUser(page, path)
    await tile(page, 'Map').getByText('The report').waitFor()
  } finally {
    await rm(folder, { recursive: true })
  }
})
