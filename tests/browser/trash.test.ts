import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { deleteFile, getFile } from '@headwater/files/contract'
import { createGroup, getGroup } from '@headwater/groups/contract'
import { removeSymbols } from '@headwater/symbols/contract'
import { restoreTrashed } from '@headwater/trash/contract'
import { upload, type Session } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna.trash@example.com' })
  await anna.call(createGroup, { body: { name: 'Desk' } })
})

async function store(fileName: string, content = 'x', fileType = 'SOURCE'): Promise<string> {
  return (await upload(anna, { groupName: 'Desk', fileName, content, fileType })).fileId
}

const row = (page: Page, name: RegExp) => page.getByRole('row', { name })
const menuOf = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('DP-623 DP-624 SH-130 the trash has the views archived groups, deleted files and archived symbols', async () => {
  const page = await stage.open('/trash', anna)
  await page.getByText('No archived groups', { exact: true }).waitFor()
  expect(await page.getByRole('tab').allTextContents()).toEqual([
    'Archived groups',
    'Deleted files',
    'Archived symbols',
  ])
  await page.getByRole('tab', { name: 'Deleted files' }).click()
  await page.getByText('No deleted files', { exact: true }).waitFor()
  expect(new URL(page.url()).hash).toBe('#DeletedFiles')
  await page.getByRole('tab', { name: 'Deleted files' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('No archived symbols', { exact: true }).waitFor()
  await page.locator('[role="tab"][aria-selected="true"]:focus', { hasText: 'Archived symbols' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('No archived groups', { exact: true }).waitFor()
  await page.locator('[role="tab"][aria-selected="true"]:focus', { hasText: 'Archived groups' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('No archived symbols', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

test('a group is deleted in the lake, which mentions the trash, and restored with the keyboard', async () => {
  await anna.call(createGroup, { body: { name: 'Short lived' } })
  const page = await stage.open('/Lake/Groups/Short lived', anna)
  await page.getByRole('button', { name: 'Delete group' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete group' })
  await dialog
    .getByText("Short lived will be deleted immediately. You can't undo this action.", { exact: true })
    .waitFor()
  await dialog
    .getByText(
      'The only way to get the group back is to restore it from the trash within 30 days. After that, the deletion is permanent.',
      { exact: true },
    )
    .waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  await row(page, /Short lived/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])

  await row(page, /Short lived/).focus()
  await page.keyboard.press('Space')
  const restoring = page.getByRole('button', { name: 'Restore', exact: true })
  await restoring.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Short lived has been restored.', { exact: true }).waitFor()
  await page.getByText('No archived groups', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('page')
  expect(await anna.call(getGroup, { params: { name: 'Short lived' } })).toMatchObject({
    name: 'Short lived',
  })
})

test('files can be searched, restored, restored under another name if their name is taken, and deleted permanently', async () => {
  await anna.call(updateSettings, { body: { settings: { darkmode: 'ON' } } })
  const taken = await store('taken.txt')
  const gone = await store('gone.txt')
  const back = await store('back.txt')
  const free = await store('free.txt')
  const other = await store('other.txt')
  for (const fid of [other, free, taken, gone, back]) await anna.call(deleteFile, { params: { fid } })
  await store('taken.txt')
  const page = await stage.open('/Trash', anna)
  await expect.poll(() => new URL(page.url()).hash).toBe('#DeletedFiles')
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await row(page, /back\.txt/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('searchbox', { name: 'Search deleted files' }).fill('BACK')
  await expect.poll(() => row(page, /gone\.txt/).count()).toBe(0)
  await menuOf(page, 'back.txt', 'Restore')
  await page.getByText('back.txt has been restored.', { exact: true }).waitFor()
  expect(await anna.call(getFile, { params: { fid: back } })).toMatchObject({ fileName: 'back.txt' })
  await page.getByRole('button', { name: 'Show all deleted files' }).click()

  for (const name of [/taken\.txt/, /free\.txt/]) {
    await row(page, name).focus()
    await page.keyboard.press('Space')
  }
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('free.txt has been restored.', { exact: true }).waitFor()
  const sentence = 'The name “taken.txt” is already in use. Restore under another name.'
  await page.getByRole('dialog').getByText(sentence, { exact: true }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('1 selected', { exact: true }).waitFor()
  expect(
    await row(page, /taken\.txt/)
      .getByRole('checkbox')
      .isChecked(),
  ).toBe(true)
  await page.keyboard.press('Escape')

  await menuOf(page, 'taken.txt', 'Restore')
  const dialog = page.getByRole('dialog', { name: 'Restore file' })
  expect(await dialog.getByLabel('New name').inputValue()).toBe('taken (restored).txt')
  await dialog.getByLabel('New name').fill('taken.txt')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await dialog.getByText('The name “taken.txt” is already in use.', { exact: false }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByLabel('New name').fill('new.txt')
  await dialog.getByLabel('New name').press('Enter')
  await page.getByText('new.txt has been restored.', { exact: true }).waitFor()
  expect(await anna.call(getFile, { params: { fid: taken } })).toMatchObject({ fileName: 'new.txt' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('row')

  const confirming = page.getByRole('dialog', { name: 'Delete permanently' })
  await menuOf(page, 'gone.txt', 'Delete permanently')
  await confirming.getByText("Version 1 of gone.txt can't be restored after this.", { exact: true }).waitFor()
  await confirming.getByText('Its content is deleted.', { exact: true }).waitFor()
  await confirming.getByRole('button', { name: 'Cancel' }).click()
  await confirming.waitFor({ state: 'detached' })

  for (const name of [/gone\.txt/, /other\.txt/]) {
    await row(page, name).focus()
    await page.keyboard.press('Space')
  }
  await page.getByRole('button', { name: 'Delete permanently', exact: true }).click()
  await confirming.getByText("2 files can't be restored after this.", { exact: true }).waitFor()
  await confirming.getByText('Their contents are deleted.', { exact: true }).waitFor()
  // Another user restores one of them in the meantime.
  await anna.call(restoreTrashed, { params: { kind: 'files', id: other }, body: {} })
  await confirming.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('Version 1 of gone.txt has been deleted permanently.', { exact: true }).waitFor()
  await page.getByText('1 file could not be deleted.', { exact: true }).waitFor()
  await page.getByText(/^other\.txt: This object is not in the trash\./).waitFor()
  await page.getByText('No deleted files', { exact: true }).waitFor()
})

test('a symbol can be restored with another key value', async () => {
  await store('prices.csv', 'Code,Date,Close\nBRENT,2026-01-02,1\n', 'NCSV')
  const symbols = [{ Code: 'BRENT' }]
  await anna.call(removeSymbols, { body: { groupName: 'Desk', symbols, checkTimeSeries: false } })
  const page = await stage.open('/Trash#ArchivedSymbols', anna)
  await menuOf(page, 'Code=BRENT', 'Restore under another name')
  const dialog = page.getByRole('dialog', { name: 'Restore symbol' })
  await dialog.getByLabel('Code').fill('BRENT OLD')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Code=BRENT OLD has been restored.', { exact: true }).waitFor()
  await page.getByText('No archived symbols', { exact: true }).waitFor()
})
