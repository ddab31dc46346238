import { Buffer } from 'node:buffer'
import type { Locator, Page } from 'playwright'
import { beforeAll } from 'vitest'
import { pathOf } from '@headwater/contract'
import { downloadFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { setUpStage } from './stage.ts'

/** Sets up a user with a group, and returns functions for its files and their tools. */
export function setUpPapers() {
  const stage = setUpStage()
  const groupName = 'Papers'
  let anna: Session

  beforeAll(async () => {
    anna = await stage.server.createUser({ email: 'anna@example.com' })
    await anna.call(createGroup, { body: { name: groupName } })
  })

  /** Uploads a file to the group through the API and returns its id. */
  async function putFile(
    fileName: string,
    content: string | Buffer,
    { owner = anna, fields = [] }: { owner?: Session; fields?: { name: string; value: string }[] } = {},
  ): Promise<string> {
    const { fileId } = await upload(owner, { groupName, fileName, fields, content: Buffer.from(content) })
    return fileId
  }

  function openGroup(user: { userName: string } = anna): Promise<Page> {
    return stage.open(`/Lake/Groups/${groupName}`, user)
  }

  /** Opens the tool of a file through the menu of its row. */
  async function openTool(
    page: Page,
    fileName: string,
    action: 'Edit' | 'View' | 'Preview',
  ): Promise<Locator> {
    await page.getByRole('button', { name: fileName, exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: action, exact: true }).click()
    return page.getByRole('dialog', { name: fileName, exact: true })
  }

  async function openPublicViews(page: Page): Promise<Locator> {
    await page.getByRole('button', { name: 'Show public views', exact: true }).click()
    return page.getByRole('dialog', { name: `Public views of ${groupName}`, exact: true })
  }

  /** A user with read access to the group only. */
  async function reader(email: string): Promise<Session> {
    const session = await stage.server.createUser({ email })
    await stage.server.running.platform.database.pool.query(
      `insert into group_grants (group_id, user_id, access)
      select groups.id, users.id, 'R' from groups, users where groups.name = $1 and user_name = $2`,
      [groupName, session.userName],
    )
    return session
  }

  const editorOf = (tool: Locator) => tool.getByRole('textbox', { name: /^Text of/ })
  const textOf = async (fid: string) => (await anna.fetch(pathOf(downloadFile.path, { fid }))).text()

  /** A picture of the given size, drawn by the browser. */
  async function png(width: number, height: number): Promise<Buffer> {
    const page = await stage.newPage({ viewport: { width, height } })
    await page.setContent('<body style="background: teal">')
    return page.screenshot()
  }

  return {
    stage,
    groupName,
    putFile,
    openGroup,
    openTool,
    openPublicViews,
    reader,
    editorOf,
    textOf,
    png,
    anna: () => anna,
  }
}
