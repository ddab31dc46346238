import { expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createPipeline, getPipelineByName } from '@headwater/pipelines/contract'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

test('retries are edited in the panel of a task; the pauses and errors are visible for a task that is retried', async () => {
  const anna = await stage.server.createUser({ role: 'Pipeline builder' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  const task = { id: 'a', taskName: 'webhook', taskReadableName: 'Notify' }
  const params = [{ name: 'URL', value: 'http://hooks.example.com/prices' }]
  await anna.call(createPipeline, {
    body: { name: 'notify', groupName: 'Flows', tasks: [{ ...task, taskOverrides: { params } }] as never },
  })
  const page = await stage.open('/Science/Creator/Flows/notify/latest', anna)
  await page.locator('.react-flow__node[data-id="a"]').click()
  const field = (name: string) => page.getByRole('spinbutton', { name, exact: true })
  await field('Retries').waitFor()
  expect(await field('Initial delay (s)').count()).toBe(0)
  await field('Retries').fill('4')
  await expect.poll(() => field('Initial delay (s)').inputValue()).toBe('10')
  for (const [name, value] of [
    ['Initial delay (s)', '2.5'],
    ['Back-off factor', '3'],
    ['Maximum delay (s)', '120'],
    ['Jitter (%)', '20'],
  ] as const)
    await field(name).fill(value)
  await page.getByRole('combobox', { name: 'Retry on' }).click()
  await page.getByRole('option', { name: 'Connection failed' }).click()
  await page.getByRole('option', { name: 'Status 429, 5xx' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = async () =>
    (await anna.call(getPipelineByName, { query: { name: 'notify', groupName: 'Flows' } })).batchConfig.tasks
  await expect.poll(saved).toMatchObject([
    {
      retries: 4,
      retryDelay: 2.5,
      retryBackoff: 3,
      retryMaxDelay: 120,
      retryJitter: 0.2,
      retryOn: ['connection', 'unavailable'],
    },
  ])
})
