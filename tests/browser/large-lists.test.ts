import type { Locator, Page } from 'playwright'
import { beforeAll, expect, inject, test } from 'vitest'
import { createGroup, shareGroups } from '@headwater/groups/contract'
import type { Session } from '@headwater/server/testing'
import type {} from '../setup/campaign.ts'
import { setUpStage } from './stage.ts'

/** Files of the group and files in the trash. A search of files counts only 1000 of them for a page. */
const fileCount = inject('campaign') === 'long' ? 100_000 : 1200
/** Files with data in the range of the share. */
const visibleCount = fileCount - 100

const stage = setUpStage()
let anna: Session
/** Has a share of the group from 2026-03-01 to 2026-04-30. */
let ben: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  ben = await stage.server.createUser({ email: 'ben@example.com' })
  await anna.call(createGroup, { body: { name: 'Large' } })
  const share = { email: ben.userName, groupName: 'Large', access: 'R' as const }
  const range = { dataStart: '2026-03-01', dataEnd: '2026-04-30' }
  await anna.call(shareGroups, { body: { sharesList: [{ ...share, ...range }] } })
  // Uploads of so many files would take hours.
  const { pool } = stage.server.running.platform.database
  await pool.query(
    `insert into files (id, group_id, name, type, owner_id, saved_by, zipped, fields, partial_update, avoid_duplicates, skip_metadata,
       job_id, state, hash, size_bytes, version, latest, arrival, arrived_at, announced_at, data_start, data_end, deleted_at, deleted_by)
     select gen_random_uuid(), groups.id, case when is_deleted then 'deleted ' else 'file ' end || number || '.txt', 'SOURCE', owner_id,
       owner_id, false, '{}', false, false, false, gen_random_uuid(), case when is_deleted then 'deleted' else 'ready' end,
       encode(sha256(number::text::bytea), 'hex'), number, 1, not is_deleted, nextval('file_arrivals'), now(), now(), at, at,
       case when is_deleted then now() end, case when is_deleted then owner_id end
     from groups, generate_series(1, $1) number, unnest(array[false, true]) is_deleted,
       lateral (select (extract(epoch from case when number <= $2 then date '2026-03-15' else date '2026-06-15' end) * 1000)::bigint) range (at)
     where groups.name = 'Large'`,
    [fileCount, visibleCount],
  )
  await pool.query('analyze files')
})

/** Moves the focus with Tab or another key. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let count = 0; count < 60; count++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not reach the element.`)
}

const rowCount = (page: Page, label: string) =>
  expect.poll(() => page.getByRole('grid', { name: label }).getAttribute('aria-rowcount'))

async function searchFileList(user: Session, count: number): Promise<Page> {
  const page = await stage.open('/Lake/Groups/Large', user)
  await rowCount(page, 'Files').toBe(String(count + 1))
  await tabTo(page, page.getByRole('searchbox').first())
  await page.keyboard.type(`file ${visibleCount}.`)
  await page.getByRole('row', { name: new RegExp(`file ${visibleCount}\\.txt`) }).waitFor()
  await rowCount(page, 'Files').toBe('2')
  return page
}

async function clearSearch(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
}

/** Moves to the last row of the first page, which loads the next one. */
async function goToEnd(page: Page, count: number): Promise<void> {
  await rowCount(page, 'Files').toBe(String(count + 1))
  await tabTo(page, page.getByRole('row', { name: /file/ }).first())
  await page.keyboard.press('End')
  await page.getByRole('row', { name: new RegExp(`file ${count - 99}\\.txt`) }).waitFor()
}

test('the file list of a large group, its search and its share dialog are usable with the keyboard, and state the number of files', async () => {
  const page = await searchFileList(anna, fileCount)
  await clearSearch(page)
  await tabTo(page, page.getByRole('button', { name: 'Share', exact: true }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share Large' })
  await dialog.getByText(ben.userName).first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await goToEnd(page, fileCount)
})

test('a user with a range uses the list of the files in the range in the same way', async () => {
  const page = await searchFileList(ben, visibleCount)
  await clearSearch(page)
  await page.keyboard.type(`file ${fileCount}.`)
  await page.getByText('Nothing found').waitFor()
  await clearSearch(page)
  await goToEnd(page, visibleCount)
})

test('the trash states the number of deleted files and finds one of them', async () => {
  const page = await stage.open('/Trash#DeletedFiles', anna)
  await rowCount(page, 'Deleted files').toBe(String(fileCount + 1))
  await tabTo(page, page.getByRole('searchbox').first())
  await page.keyboard.type(`deleted ${fileCount}.`)
  await page.getByRole('row', { name: new RegExp(`deleted ${fileCount}\\.txt`) }).waitFor()
  await rowCount(page, 'Deleted files').toBe('2')
})
