import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { putSecret } from '@headwater/secrets/contract'
import { type Session, uploadSeries } from '@headwater/server/testing'
import { createTask } from '@headwater/tasks/contract'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session
let page: Page
let fileId: string

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  for (const name of ['Scripts', 'Prices']) await anna.call(createGroup, { body: { name } })
  const content = 'Code,Date,Close,Open\nBRENT,2026-01-01,1,2\n'
  fileId = await uploadSeries(anna, { groupName: 'Prices', fileName: 'prices.csv', content })
  await anna.call(putSecret, { params: { name: 'api-key' }, body: { value: 'a long password' } })
  await createTypesTask()
  page = await stage.open('/Science/List#Tasks', anna)
})

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

/** Saves a task that prints its inputs, with one input of each type. */
async function createTypesTask(): Promise<void> {
  const condition = { paramName: 'Format', operator: 'ONE_OF', value: 'JSON, xml' }
  const code = 'import os\nprint({n: v for n, v in os.environ.items() if n[0].isupper() and v})'
  const params = [
    { name: 'Script', value: code, valueType: 'SCRIPT' },
    { name: 'Text', valueType: 'TEXT', defaultValue: 'Brent', description: 'Name of the price.' },
    { name: 'Long text', valueType: 'LONG_TEXT', optional: true },
    { name: 'Number', valueType: 'NUMBER', optional: true },
    { name: 'Flag', valueType: 'BOOLEAN', defaultValue: 'true' },
    { name: 'Pause', valueType: 'BOOLEAN', defaultValue: 'false' },
    { name: 'Day', valueType: 'DATE', optional: true },
    { name: 'Instant', valueType: 'DATE_TIME', optional: true },
    { name: 'Wait', valueType: 'DURATION', defaultValue: '15m' },
    { name: 'Format', valueType: 'CHOICE', choices: ['csv', 'json', 'XML'], defaultValue: 'csv' },
    { name: 'Indent', valueType: 'NUMBER', condition },
    { name: 'Lost', valueType: 'TEXT', condition: { ...condition, paramName: 'Missing' } },
    { name: 'Codes', valueType: 'LIST', optional: true },
    { name: 'Options', valueType: 'JSON', optional: true },
    { name: 'Target', valueType: 'GROUP', optional: true },
    { name: 'Source', valueType: 'FILE', optional: true },
    { name: 'Prep', valueType: 'DATA_PREP', optional: true },
    { name: 'Insight', valueType: 'INSIGHT', optional: true },
    { name: 'Series', valueType: 'SERIES', optional: true },
    { name: 'Key', valueType: 'SECRET', optional: true },
    { name: 'Times', valueType: 'CRON', optional: true },
    { name: 'Zone', valueType: 'TIME_ZONE', optional: true },
    { name: 'Recipients', valueType: 'ADDRESSES', optional: true },
  ]
  const body = {
    name: 'types',
    groupName: 'Scripts',
    readableName: 'All types',
    definitionName: 'python-runner',
  }
  await anna.call(createTask, { body: { ...body, params } as never })
}

async function choose(field: Locator, text: string, option: string | RegExp): Promise<void> {
  await field.fill(text)
  await page.getByRole('option', { name: option }).first().click()
}

test('DP-406 DP-408 DP-409 DP-418 the inputs of a task show their types, defaults, pause switches and only what their conditions allow', async () => {
  await button(page, 'Actions for All types').click()
  await page.getByRole('menuitem', { name: 'Run', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Run All types' })
  const types = form.locator('[data-value-type]')
  await types.first().waitFor()
  expect((await types.allInnerTexts()).join('; ')).toBe(
    'Text; Long text; Number; Yes or no; Yes or no; Date; Date and time; Duration; Choice; List; JSON; Group; ' +
      'File; Data prep; Insight; Series; Secret; Cron expression; Time zone; E-mail addresses',
  )
  expect(await form.getByLabel('Text', { exact: true }).getAttribute('placeholder')).toBe('Brent')
  expect(await form.getByRole('switch', { name: 'Pause' }).isChecked()).toBe(false)
  await form.getByRole('switch', { name: 'Pause' }).check()
  await form.getByRole('switch', { name: 'Pause' }).uncheck()

  // The parameter “Indent” belongs to the formats json and xml.
  const indent = form.getByLabel('Indent', { exact: true })
  expect(await indent.count()).toBe(0)
  await choose(form.getByRole('combobox', { name: 'Format' }), 'XML', 'XML')
  await indent.fill('two')
  await form.getByText('Enter a number such as 12.5.').waitFor()
  await indent.fill('2')
  await expect.poll(() => form.getByLabel('Lost', { exact: true }).count()).toBe(0)

  await form.getByLabel('Day', { exact: true }).fill('2026-01-31')
  await form.getByLabel('Instant', { exact: true }).fill('2026-01-31')
  await form.getByLabel('Instant: time (UTC)').fill('07:30')
  await form.getByLabel('Codes').fill('BRENT')
  await page.keyboard.press('Enter')
  await form.getByLabel('Options').fill('{"a": 1}')
  await choose(form.getByRole('combobox', { name: 'Target' }), 'Pri', 'Prices')
  // The group decides which files and symbols are offered, so it comes first.
  for (const name of ['Source', 'Series']) {
    const fields = form.getByRole('combobox', { name: new RegExp(`^${name}(: group)?$`) })
    const labels = await fields.evaluateAll((all) =>
      all.map((each) => (each as HTMLInputElement).labels![0]!.textContent),
    )
    expect(labels[0]).toContain(`${name}: group`)
    expect(await fields.last().isDisabled()).toBe(true)
  }
  await choose(form.getByRole('combobox', { name: 'Source: group' }), 'Prices', 'Prices')
  await choose(form.getByRole('combobox', { name: 'Source', exact: true }), 'pri', 'prices.csv')
  await choose(form.getByRole('combobox', { name: 'Series: group' }), 'Prices', 'Prices')
  await choose(form.getByRole('combobox', { name: 'Series', exact: true }), 'BRE', /BRENT/)
  await choose(form.getByRole('combobox', { name: 'Key' }), 'api', 'api-key · yours')
  await form.getByLabel('Times').fill('0 7 * * 1-5')
  await form.getByText('At 07:00, Monday through Friday').waitFor()
  await choose(form.getByRole('combobox', { name: 'Zone' }), 'Berlin', 'Europe/Berlin')
  await form.getByLabel('Recipients').fill('anna@example.com')
  await page.keyboard.press('Enter')
  expect(await accessibilityProblems(page)).toEqual([])

  const executed = page.waitForRequest((request) => request.url().endsWith('/mgmt/task/execute'))
  await button(form, 'Run').click()
  const { params } = (await executed).postDataJSON() as { params: { name: string; value: string }[] }
  const sent = Object.fromEntries(params.map(({ name, value }) => [name, value]))
  expect({
    ...sent,
    Source: JSON.parse(sent.Source!) as object,
    Series: JSON.parse(sent.Series!) as object,
  }).toEqual({
    Pause: 'false',
    Format: 'XML',
    Indent: '2',
    Day: '2026-01-31',
    Instant: '2026-01-31T07:30:00Z',
    Codes: '["BRENT"]',
    Options: '{"a": 1}',
    Target: 'Prices',
    Source: { id: fileId, name: 'prices.csv', groupName: 'Prices' },
    Series: { groupName: 'Prices', symbols: { Code: 'BRENT' }, column: 'Close' },
    Key: 'api-key',
    Times: '0 7 * * 1-5',
    Zone: 'Europe/Berlin',
    Recipients: 'anna@example.com',
  })
  const output = form.getByRole('region', { name: 'Output' })
  await output.getByText("'Text': 'Brent'").waitFor()
  await output.getByText("'Wait': '15m'").waitFor()
})
