import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Frame, Page } from 'playwright'
import { beforeAll, expect } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { updatePublicStatus } from '@headwater/publishing/contract'
import { createPipeline } from '@headwater/pipelines/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { upload, uploadSeries } from '@headwater/server/testing'
import { createTask } from '@headwater/tasks/contract'
import { testPassword } from '../../apps/server/src/testing.ts'
import { setUpStage } from './stage.ts'

/** Sets up a product with a title, an icon and a logo, one object of each kind, and returns functions for its pages. */
export function setUpShell() {
  const stage = setUpStage({
    env: {
      HEADWATER_TITLE: 'Harbour data',
      HEADWATER_ICON: '/icon.svg?of=harbour',
      HEADWATER_LOGO: '/logo.svg?of=harbour',
    },
  })

  let taskId: string

  beforeAll(async () => {
    const { admin } = stage.server
    const groupName = 'Energy'
    await admin.call(createGroup, { body: { name: groupName } })
    await uploadSeries(admin, {
      groupName,
      fileName: 'a.csv',
      content: 'Code,Date,Close\nBrent,2026-01-02,1\n',
    })
    await upload(admin, { groupName, fileName: 'small.txt', content: 'x'.repeat(1500) })
    await upload(admin, { groupName, fileName: 'large.txt', content: 'x'.repeat(1_234_567) })
    await admin.call(createDataPrep, { body: { dataPrep: { name: 'Curve', outputGroup: groupName } } })
    for (const insightName of ['Crude', 'Hidden'])
      await admin.call(createInsight, { body: { insightName, groupName, content: emptyContent() } })
    await admin.call(updatePublicStatus, { body: { insightName: 'Crude', groupName, isPublic: true } })
    const code = { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' }
    const task = {
      name: 'greet',
      groupName,
      readableName: 'Greet',
      definitionName: 'python-runner',
      params: [code],
    }
    taskId = (await admin.call(createTask, { body: task as never })).id
    const step = { id: 'greet', taskReadableName: 'Greet', taskName: 'greet', taskGroup: groupName }
    await admin.call(createPipeline, { body: { name: 'Daily', groupName, tags: [], tasks: [step] as never } })
  })

  const path = (page: Page) => new URL(page.url()).pathname
  const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
  const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' })
  const redirectNotice = (page: Page | Frame) => page.getByRole('status', { name: 'Reason for this page' })

  /** Navigates to a path inside the running application, like a link. */
  async function visit(page: Page, url: string): Promise<void> {
    await page.evaluate((target) => {
      history.pushState({}, '', target)
      dispatchEvent(new PopStateEvent('popstate'))
    }, url)
  }

  /** The path and query of the last link that the server sent by e-mail to an address. */
  async function mailedLink(address: string): Promise<string> {
    await stage.server.running.platform.accounts.settled()
    const log = await readFile(join(stage.server.dataFolder, 'logs', 'mails.log'), 'utf8')
    const mail = log
      .trim()
      .split('\n')
      .findLast((line) => line.includes(address))
    const { text } = JSON.parse(mail!) as { text: string }
    const link = new URL(/https?:\S+/.exec(text)![0])
    return link.pathname + link.search
  }

  async function changeSettings(userName: string, settings: Record<string, unknown>): Promise<void> {
    const response = await fetch(`${stage.server.url}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ userName, password: testPassword }),
    })
    const { token } = (await response.json()) as { token: string }
    const reply = await fetch(stage.server.url + updateSettings.path, {
      method: updateSettings.method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ settings }),
    })
    expect(reply.status).toBe(200)
  }

  return {
    stage,
    path,
    sidebar,
    crumbs,
    redirectNotice,
    visit,
    mailedLink,
    changeSettings,
    taskId: () => taskId,
  }
}
