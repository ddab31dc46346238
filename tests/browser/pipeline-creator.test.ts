import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import {
  createPipeline,
  executePipeline,
  getPipelineByName,
  updatePipeline,
} from '@headwater/pipelines/contract'
import type { Session } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask, deleteTask } from '@headwater/tasks/contract'
import { accessibilityProblems, logOutElsewhere, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
const reference = '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}'
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  for (const name of ['Flows', 'Scripts']) await anna.call(createGroup, { body: { name } })
  await script('give', 'Gives', [{ name: 'Out', type: 'OUTPUT', valueType: 'NUMBER' }])
  await script('take', 'Takes', [
    { name: 'In', valueType: 'NUMBER', dynamic: true },
    { name: 'Day', valueType: 'DATE' },
    { name: 'Whom', defaultValue: 'World' },
    { name: 'Group name', defaultValue: 'Prices' },
  ])
})

function script(name: string, readableName: string, params: object[], value = 'print(1)') {
  const code = { name: 'Script', value, valueType: 'SCRIPT' }
  return anna.call(createTask, {
    body: {
      name,
      groupName: 'Scripts',
      readableName,
      definitionName: 'python-runner',
      params: [code, ...params] as never,
    },
  })
}

const comment = { id: 'c1', text: 'Why so', author: 'carol', position: { x: 0, y: 320 } }
const at = { a: { x: 0, y: 0 }, b: { x: 320, y: 0 }, c: { x: 320, y: 256 } }

/**
 * Saves a pipeline: A outputs a number, and B and C take one, optionally with a link from A to B. Complete pipelines
 * can run.
 */
async function pipeline(
  name: string,
  { isLinked = false, isPaused = false, isComplete = false } = {},
): Promise<void> {
  const task = (id: string, taskName: string, params: object[]) => ({
    id,
    taskName,
    taskGroup: 'Scripts',
    taskReadableName: `Task ${id.toUpperCase()}`,
    taskOverrides: { params },
    isPaused,
  })
  const values = isComplete
    ? [
        { name: 'In', value: '1' },
        { name: 'Day', value: '2026-01-01' },
      ]
    : []
  const tasks = [
    task('a', 'give', isLinked ? [{ name: 'Out', type: 'OUTPUT', value: reference }] : []),
    task('b', 'take', isLinked ? [{ name: 'In', value: reference }] : values),
    task('c', 'take', values),
  ]
  const payload = JSON.stringify({ positions: at, comments: [comment], commentsVisible: true })
  await anna.call(createPipeline, { body: { name, groupName: 'Flows', payload, tasks: tasks as never } })
}

async function saved(name: string) {
  const {
    batchConfig,
    payload,
    pipeline: facts,
  } = await anna.call(getPipelineByName, {
    query: { name, groupName: 'Flows' },
  })
  return {
    tasks: batchConfig.tasks,
    version: facts.version,
    canvas: JSON.parse(payload) as {
      positions: Record<string, { x: number; y: number }>
      comments: object[]
      commentsVisible: boolean
    },
  }
}

async function open(name: string): Promise<Page> {
  const page = await stage.open(`/Science/Creator/Flows/${encodeURIComponent(name)}/latest`, anna)
  await node(page, 'a').waitFor()
  // The ports of the tasks appear when their parameters have loaded.
  await input(page, 'c').waitFor()
  return page
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const header = (page: Page) => page.getByRole('banner')
const nodes = (page: Page) => page.locator('.react-flow__node-item')
const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
const links = (page: Page) => page.locator('.react-flow__edge')
const output = (page: Page, id: string, name = 'Out') =>
  node(page, id).locator(`.react-flow__handle.source[data-handleid="${name}"]`)
const input = (page: Page, id: string, name = 'In') =>
  node(page, id).locator(`.react-flow__handle.target[data-handleid="${name}"]`)

async function centre(of: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await of.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Drags with the mouse; `by` moves the end. */
async function drag(page: Page, from: Locator, to: Locator, by = { x: 0, y: 0 }): Promise<void> {
  const [start, end] = [await centre(from), await centre(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 8, start.y + 8)
  await page.mouse.move(end.x + by.x, end.y + by.y, { steps: 4 })
  await page.mouse.up()
}

/** Waits until the run that the page shows has succeeded. A toast about its end would disappear on a busy computer. */
async function runSucceeds(page: Page): Promise<void> {
  await page.waitForURL(/[?&]jobId=/)
  const jobId = new URL(page.url()).searchParams.get('jobId')!
  const job = async () => (await anna.call(searchStatuses, { query: { jobId } as never })).items[0]!
  await expect.poll(async () => (await job()).endTime, { timeout: 60_000 }).toBeDefined()
  const { status, latestStatus } = await job()
  expect({ status, message: latestStatus.message }).toMatchObject({ status: 'INFO' })
}

async function isUnsaved(page: Page): Promise<void> {
  await button(header(page), 'Save').waitFor()
}
async function save(page: Page): Promise<void> {
  await isUnsaved(page)
  await page.keyboard.press('Control+s')
  await button(header(page), 'Saved').waitFor()
}

/** Fits the canvas to all tasks, and waits for the end of the movement. */
async function showEverything(page: Page): Promise<void> {
  await button(page, 'Fit to view').click()
  let earlier: string | null = null
  const isStill = async () => {
    const style = await page.locator('.react-flow__viewport').getAttribute('style')
    const isSame = style === earlier
    earlier = style
    return isSame
  }
  await expect.poll(isStill, { interval: 150 }).toBe(true)
}

/** Returns the position of a node on the canvas. */
async function positionOf(of: Locator): Promise<{ x: number; y: number }> {
  const style = (await of.getAttribute('style')) ?? ''
  const [, x, y] = /translate\((-?[\d.]+)px, ?(-?[\d.]+)px\)/.exec(style)!
  return { x: Number(x), y: Number(y) }
}

test('DP-427 DP-469 DP-474 DP-486 DP-487 DP-488 a new pipeline is built from tasks on a blank canvas; a task that is added by click is linked with the selected one if only one link fits', async () => {
  await script('count', 'Counts', [{ name: 'Number', valueType: 'NUMBER', dynamic: true }])
  const page = await stage.open('/Science/creator/New', anna)
  await page.getByText('No tasks yet').waitFor()
  expect(await nodes(page).count()).toBe(0)
  const viewport = page.locator('.react-flow__viewport')
  expect(await viewport.getAttribute('style')).toContain('translate(100px, 100px) scale(1)')
  const tasks = page.getByRole('navigation', { name: 'Tasks to add' })
  await tasks.getByRole('searchbox').fill('gives')
  const gives = button(tasks.getByRole('region', { name: 'Python' }), 'Add Gives')
  for (const count of [1, 2, 3]) {
    await gives.click()
    await expect.poll(() => nodes(page).count()).toBe(count)
    await expect.poll(() => positionOf(nodes(page).last())).toEqual({ x: 150 + 250 * (count - 1), y: 200 })
  }
  await tasks.getByRole('searchbox').fill('')
  const canvas = page.locator('.react-flow__pane')
  // The canvas has moved so that the last task is visible as a whole.
  const isInside = async () => {
    const [inner, outer] = [await nodes(page).last().boundingBox(), await canvas.boundingBox()]
    return inner!.x >= outer!.x && inner!.x + inner!.width <= outer!.x + outer!.width
  }
  await expect.poll(isInside).toBe(true)
  const moved = /translate\((-?[\d.]+)px, ?(-?[\d.]+)px\)/.exec((await viewport.getAttribute('style')) ?? '')!
  await button(tasks.getByRole('region', { name: 'Python' }), 'Add Takes').dragTo(canvas, {
    targetPosition: { x: Number(moved[1]) + 64 * 2, y: Number(moved[2]) + 64 * 6 },
  })
  await expect.poll(() => nodes(page).count()).toBe(4)
  expect(await positionOf(nodes(page).last())).toEqual({ x: 128, y: 384 })
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Clear canvas' }).click()
  await expect.poll(() => nodes(page).count()).toBe(0)
  await button(tasks.getByRole('region', { name: 'Python' }), 'Add Takes').waitFor()
  await button(page, 'Undo').click()
  await expect.poll(() => nodes(page).count()).toBe(4)

  const order = nodes(page).last().getByRole('button', { name: 'Input Run after' })
  const { x, y } = await centre(order.locator('.react-flow__handle'))
  const isHit = ([right, down]: number[]) =>
    page.evaluate(
      ([left, top]) => document.elementFromPoint(left!, top!)?.closest('.react-flow__handle') != null,
      [x + right!, y + down!],
    )
  for (const corner of [
    [-11, -11],
    [11, -11],
    [-11, 11],
    [11, 11],
  ])
    expect(await isHit(corner), `24 px of the port: ${corner.join(', ')}`).toBe(true)

  await nodes(page).nth(2).getByText('Gives', { exact: false }).first().click()
  await button(tasks.getByRole('region', { name: 'Python' }), 'Add Counts').click()
  await expect.poll(() => nodes(page).count()).toBe(5)
  await expect.poll(() => links(page).count()).toBe(1)
  await button(page, 'Undo').click()
  await expect.poll(() => nodes(page).count()).toBe(4)
  await expect.poll(() => links(page).count()).toBe(0)
})

test('DP-425 DP-465 DP-468 DP-475 DP-477 DP-484 tasks are added, connected, disconnected and removed; each makes the pipeline unsaved', async () => {
  await pipeline('Edited')
  const page = await open('Edited')
  await button(header(page), 'Saved').waitFor()
  await drag(page, output(page, 'a'), input(page, 'b'))
  await expect.poll(() => links(page).count()).toBe(1)
  await isUnsaved(page)
  await save(page)
  const [a, b] = (await saved('Edited')).tasks
  const given = a!.taskOverrides.params.find(({ type }) => type === 'OUTPUT')!
  expect(given.value).toMatch(/^\$\{[0-9a-f-]{36}\}$/)
  expect(b!.taskOverrides.params).toEqual([{ name: 'In', type: 'INPUT', value: given.value }])

  await links(page).first().dispatchEvent('contextmenu')
  await expect.poll(() => links(page).count()).toBe(0)
  await isUnsaved(page)
  await save(page)
  expect((await saved('Edited')).tasks[1]!.taskOverrides.params).toEqual([])

  await drag(page, output(page, 'a'), input(page, 'b'))
  await save(page)
  await links(page)
    .first()
    .click({ position: { x: 20, y: 1 }, force: true })
  await page.locator('.react-flow__edge.selected').waitFor({ state: 'attached' })
  await page.keyboard.press('Delete')
  await expect.poll(() => links(page).count()).toBe(0)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await save(page)

  await button(page, 'Add Gives').first().click()
  await expect.poll(() => nodes(page).count()).toBe(4)
  await isUnsaved(page)
  await save(page)
  await page.keyboard.press('Delete')
  await button(dialog(page, 'Delete canvas node'), 'Delete').click()
  await isUnsaved(page)
  await save(page)
  expect((await saved('Edited')).tasks.map(({ id }) => id)).toEqual(['a', 'b', 'c'])

  const types = page.getByText(
    '“Out” has the type NUMBER, but “Day” takes DATE. Link ports of matching types.',
    { exact: true },
  )
  await showEverything(page)
  await drag(page, output(page, 'a'), input(page, 'b', 'Day'))
  await types.waitFor()
  expect(await links(page).count()).toBe(0)
})

test('DP-466 DP-467 changes of comments, names and parameters make the pipeline unsaved', async () => {
  await pipeline('Fields', { isLinked: true })
  const page = await open('Fields')
  await button(page, 'Comment 1: Why so').dblclick()
  await page.getByLabel('Text of comment 1').fill('Because')
  await isUnsaved(page)
  await save(page)
  expect((await saved('Fields')).canvas.comments).toEqual([{ ...comment, text: 'Because' }])

  await node(page, 'b').getByText('Task B').click()
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByLabel('Whom', { exact: true }).fill('Brent')
  await isUnsaved(page)
  await save(page)
  await panel.getByLabel('Name', { exact: true }).fill('Takes all')
  await isUnsaved(page)
  await save(page)
  await panel.getByLabel('Require approval before this task').check()
  await isUnsaved(page)
  await save(page)
  const { tasks } = await saved('Fields')
  expect(tasks[1]).toMatchObject({ taskReadableName: 'Takes all', isPaused: true })
  expect(tasks[1]!.taskOverrides.params).toContainEqual({ name: 'Whom', type: 'INPUT', value: 'Brent' })
  expect(tasks[1]!.taskOverrides.params).toContainEqual({ name: 'In', type: 'INPUT', value: reference })

  // The panel of another task starts at its top.
  await panel.evaluate((element) => {
    element.style.height = '200px'
    element.scrollTop = 100
  })
  await node(page, 'a').getByText('Task A').click()
  await expect.poll(() => panel.getByLabel('Name', { exact: true }).inputValue()).toBe('Task A')
  await expect.poll(() => panel.evaluate((element) => element.scrollTop)).toBe(0)
})

test('DP-476 DP-478 DP-485 DP-503 DP-504 a loose link ends after 100 ms, moves snap to the grid and count after 500 ms, the wheel never zooms', async () => {
  await pipeline('Timed')
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Science/Creator/Flows/Timed/latest')
  await input(page, 'c').waitFor()
  await stopClock(page)
  const loose = page.locator('[data-loose-link]')
  await drag(page, output(page, 'a'), output(page, 'a'), { x: 60, y: 160 })
  await loose.waitFor({ state: 'attached' })
  await page.clock.runFor(99)
  expect(await loose.count()).toBe(1)
  await page.clock.runFor(1)
  await expect.poll(() => loose.count()).toBe(0)
  expect(await links(page).count()).toBe(0)
  await button(header(page), 'Saved').waitFor()

  for (const [moved, item, goal] of [
    [node(page, 'a').getByText('Task A'), node(page, 'a'), { x: 64, y: 128 }],
    [button(page, 'Comment 1: Why so'), page.locator('.react-flow__node-comment'), { x: 64, y: 448 }],
  ] as const) {
    await drag(page, moved, moved, { x: 70, y: 120 })
    await expect.poll(() => positionOf(item)).toEqual(goal)
    await page.clock.runFor(499)
    await button(header(page), 'Saved').waitFor()
    await page.clock.runFor(1)
    await isUnsaved(page)
    await save(page)
  }
  const { positions, comments } = (await saved('Timed')).canvas
  expect(positions).toEqual({ ...at, a: { x: 64, y: 128 } })
  expect(comments).toEqual([{ ...comment, position: { x: 64, y: 448 } }])

  await page.mouse.move(700, 700)
  for (const key of [undefined, 'Control'] as const) {
    if (key !== undefined) await page.keyboard.down(key)
    await page.mouse.wheel(0, 240)
    await page.clock.runFor(1000)
    if (key !== undefined) await page.keyboard.up(key)
    await expect.poll(() => page.locator('.react-flow__viewport').getAttribute('style')).toContain('scale(1)')
  }
})

test('on a touch screen, fingers move a task, pan and zoom the canvas, select, and link ports by a drag or by taps', async () => {
  await pipeline('Touched')
  const page = await stage.open('/Science/Creator/Flows/Touched/latest', anna, { hasTouch: true })
  await input(page, 'c').waitFor()
  const session = await page.context().newCDPSession(page)
  const view = () => page.locator('.react-flow__viewport').getAttribute('style')
  type Point = { x: number; y: number }
  /** Moves fingers from their first to their last positions. */
  async function swipe(fingers: readonly (readonly [Point, Point])[]): Promise<void> {
    const at = (part: number) =>
      fingers.map(([from, to], id) => ({
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
        id,
      }))
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ReturnType<typeof at>) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints })
    await send('touchStart', at(0))
    for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await send('touchMove', at(part))
    await send('touchEnd', [])
  }
  const by = ({ x, y }: Point, right: number, down: number) => ({ x: x + right, y: y + down })

  await swipe([[await centre(output(page, 'a')), await centre(input(page, 'b'))]])
  await expect.poll(() => links(page).count()).toBe(1)

  const label = await centre(node(page, 'c').getByText('Task C'))
  await swipe([[label, by(label, 70, 120)]])
  await expect.poll(() => positionOf(node(page, 'c'))).toEqual({ x: 384, y: 384 })

  const free = by(await centre(node(page, 'a')), 0, 200)
  const before = await view()
  await swipe([[free, by(free, 40, 30)]])
  await expect.poll(view).not.toBe(before)
  expect(await view()).toContain('scale(1)')
  await swipe([
    [by(free, -100, 0), by(free, -40, 0)],
    [by(free, 100, 0), by(free, 40, 0)],
  ])
  await expect.poll(view).toMatch(/scale\(0\.\d+\)/)

  await showEverything(page)
  const tap = async (of: Locator) => {
    const { x, y } = await centre(of)
    await page.touchscreen.tap(x, y)
  }
  const hint = page.getByText('Choose an input, or the same port again to cancel.', { exact: true })
  await tap(output(page, 'a'))
  await hint.waitFor()
  await tap(output(page, 'a'))
  await hint.waitFor({ state: 'detached' })
  await tap(input(page, 'c').locator('..').getByText('In', { exact: true }))
  await page.getByText('Choose an output, or the same port again to cancel.', { exact: true }).waitFor()
  await tap(output(page, 'a'))
  await expect.poll(() => links(page).count()).toBe(2)
  await tap(output(page, 'a'))
  await tap(input(page, 'b', 'Day'))
  await page
    .getByText('“Out” has the type NUMBER, but “Day” takes DATE. Link ports of matching types.')
    .waitFor()
  // Taps on ports have selected no task.
  const name = page.getByRole('complementary', { name: 'Task' }).getByLabel('Name', { exact: true })
  await expect.poll(() => name.inputValue()).toBe('Task C')
  await tap(node(page, 'b').getByText('Task B'))
  await expect.poll(() => name.inputValue()).toBe('Task B')

  const zoomed = await view()
  await page.evaluate(() => {
    const report = (event: WheelEvent) =>
      setTimeout(() => (document.title = event.defaultPrevented ? 'prevented' : 'left to the browser'))
    window.addEventListener('wheel', report, true)
  })
  const { x, y } = await centre(page.locator('.react-flow__pane'))
  await page.mouse.move(x, y)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, 240)
  await page.keyboard.up('Control')
  await expect.poll(() => page.title()).toBe('left to the browser')
  expect(await view()).toBe(zoomed)
})

test('DP-479 DP-480 DP-481 DP-482 DP-483 selected nodes are deleted after a confirmation, and never while the user types', async () => {
  await pipeline('Deleted')
  const page = await open('Deleted')
  await node(page, 'a').getByText('Task A').click()
  await page.getByRole('complementary', { name: 'Task' }).getByLabel('Name', { exact: true }).click()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Delete')
  await button(page, 'Comment 1: Why so').dblclick()
  await page.getByLabel('Text of comment 1').click()
  await page.keyboard.press('Delete')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => nodes(page).count()).toBe(3)

  await node(page, 'a').getByText('Task').first().click()
  await page.keyboard.press('Backspace')
  const one = dialog(page, 'Delete canvas node')
  await one.getByText('This node will be deleted immediately.', { exact: true }).waitFor()
  expect(await one.getByRole('button').evaluateAll((all) => all.map((each) => each.textContent))).toEqual([
    '',
    'Delete',
  ])
  await button(one, 'Delete').click()
  await expect.poll(() => nodes(page).count()).toBe(2)
  await node(page, 'b').getByText('Task B').click()
  await node(page, 'c')
    .getByText('Task C')
    .click({ modifiers: ['Control'] })
  await page.keyboard.press('Delete')
  const several = dialog(page, 'Delete canvas nodes')
  await several.getByText('Selected nodes (2)', { exact: true }).waitFor()
  await button(several, 'Delete').click()
  await expect.poll(() => nodes(page).count()).toBe(0)
})

test('DP-489 DP-490 DP-491 DP-492 DP-493 tasks are copied and pasted, even into another tab', async () => {
  await pipeline('Copied', { isLinked: true })
  const page = await open('Copied')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await node(page, 'a').getByText('Task A').click()
  await node(page, 'b')
    .getByText('Task B')
    .click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await expect.poll(() => nodes(page).count()).toBe(5)
  await save(page)
  const { tasks } = await saved('Copied')
  expect(tasks.map(({ taskReadableName }) => taskReadableName)).toEqual([
    'Task A',
    'Task B',
    'Task C',
    'Task A (1)',
    'Task B (1)',
  ])
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(5)
  const [given] = tasks[3]!.taskOverrides.params
  expect(given!.value).not.toBe(reference)
  expect(tasks[4]!.taskOverrides.params).toEqual([{ name: 'In', type: 'INPUT', value: given!.value }])
  await expect.poll(() => links(page).count()).toBe(2)

  await node(page, 'b').getByText('Task B').click()
  await page.keyboard.press('Control+c')
  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/Science/creator/New`)
  await other.locator('.react-flow__pane').click()
  await other.keyboard.press('Control+v')
  await expect.poll(() => nodes(other).count()).toBe(1)
  await nodes(other).first().getByText('Task B').click()
  await expect.poll(() => links(other).count()).toBe(0)
  const panel = other.getByRole('complementary', { name: 'Task' })
  expect(await panel.getByLabel('In', { exact: true }).inputValue()).toBe('')
  await other.close()

  const { id } = await script('gone', 'Gone soon', [])
  await page.reload()
  await button(page, 'Add Gone soon').waitFor()
  await anna.call(deleteTask, { params: { taskId: id } })
  const refused = page.waitForResponse((response) => response.url().includes(`/mgmt/task/${id}`))
  await button(page, 'Add Gone soon').click()
  const { message } = (await (await refused).json()) as { message: string }
  await page.locator('[data-kind="warn"]').getByText(message, { exact: true }).waitFor()
  expect(await nodes(page).count()).toBe(5)
})

test('DP-466 DP-494 DP-495 DP-497 DP-498 DP-499 DP-500 DP-502 IN-428 IN-429 IN-430 IN-431 IN-432 IN-433 comments are numbered bubbles that open into text boxes', async () => {
  await pipeline('Noted')
  const page = await open('Noted')
  const bubble = button(page, 'Comment 1: Why so')
  expect(await bubble.innerText()).toBe('1')
  const text = page.getByLabel('Text of comment 1')
  expect(await text.count()).toBe(0)
  await bubble.dblclick()
  const box = page.getByRole('region', { name: 'Comment 1' })
  await box.getByText('carol', { exact: true }).waitFor()
  expect(await text.inputValue()).toBe('Why so')
  await button(box, 'Minimise comment').waitFor()
  await button(box, 'Delete comment').waitFor()
  const counter = box.getByText(/characters left$/)
  expect(await counter.count()).toBe(0)
  await text.fill('Why\nso')
  expect(await text.inputValue()).toBe('Why\nso')
  await text.fill('x'.repeat(999))
  await expect.poll(() => counter.innerText()).toBe('1 characters left')
  await text.blur()
  await expect.poll(() => counter.count()).toBe(0)
  await text.press('End')
  await counter.waitFor()
  await page.keyboard.type('yz')
  await expect.poll(() => text.inputValue()).toBe(`${'x'.repeat(999)}y`)
  expect(await accessibilityProblems(page)).toEqual([])
  await button(box, 'Minimise comment').click()
  await expect.poll(() => counter.count()).toBe(0)
  await page.getByText('1', { exact: true }).first().dblclick()
  await button(box, 'Delete comment').click()
  const confirmation = dialog(page, 'Delete comment')
  await confirmation.getByText('Are you sure you want to delete this comment?', { exact: true }).waitFor()
  await button(confirmation, 'Delete').click()
  await expect.poll(() => page.locator('.react-flow__node-comment').count()).toBe(0)
  await isUnsaved(page)
  await save(page)
  expect((await saved('Noted')).canvas.comments).toEqual([])
  await button(page, 'Add comment').click()
  await box.getByText('anna@example.com', { exact: true }).waitFor()
  await isUnsaved(page)
  await save(page)
  const [stored] = (await saved('Noted')).canvas.comments
  expect(stored).toEqual({
    id: expect.any(String) as string,
    text: '',
    author: 'anna@example.com',
    position: { x: expect.any(Number) as number, y: expect.any(Number) as number },
  })
})

test('DP-419 DP-421 an input becomes an expression, which the server checks 500 ms after the last change', async () => {
  await pipeline('Computed', { isComplete: true })
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Science/Creator/Flows/Computed/latest')
  await input(page, 'c').waitFor()
  await stopClock(page)
  const checks: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/mgmt/task/expression')) checks.push(request.postDataJSON())
  })
  await node(page, 'b').getByText('Task B').click()
  const panel = page.getByRole('complementary', { name: 'Task' })
  await button(panel, 'Expression for Whom').click()
  await panel.getByLabel('Whom', { exact: true }).fill('upper("oil")')
  await page.clock.runFor(499)
  expect(checks).toEqual([])
  await page.clock.runFor(1)
  await expect.poll(() => checks.length).toBe(1)
  expect(checks[0]).toEqual({
    paramName: 'Whom',
    params: [
      { name: 'In', valueType: 'NUMBER', value: '1' },
      { name: 'Day', valueType: 'DATE', value: '2026-01-01' },
      { name: 'Whom', valueType: 'TEXT', value: 'upper("oil")' },
      { name: 'Group name', valueType: 'TEXT', value: 'Prices' },
    ],
    value: 'upper("oil")',
  })
  await save(page)
  const { tasks } = await saved('Computed')
  expect(tasks[1]!.taskOverrides.params).toContainEqual({
    name: 'Whom',
    type: 'INPUT',
    value: 'upper("oil")',
    mode: 'expression',
  })
})

test('a task runs alone, and only from a saved pipeline, which can be shared and has a page of triggers; later runs can be limited to changed tasks, and a part runs in the saved version', async () => {
  await pipeline('Partly', { isComplete: true })
  const page = await open('Partly')
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Triggers', exact: true }).click()
  await page.waitForURL('**/Science/Schedules/Flows/Partly')
  await page.goBack()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Share', exact: true }).click()
  await button(dialog(page, 'Share Partly'), 'Close').click()
  const run = dialog(page, 'Run pipeline')
  await button(page, 'Run').click()
  await run.waitFor()
  const onlyChanged = run.getByLabel('Run only changed tasks')
  expect(await onlyChanged.count()).toBe(0)
  await button(run, 'Close').click()
  await node(page, 'b').getByText('Task B').click()
  const panel = page.getByRole('complementary', { name: 'Task' })
  await button(panel, 'Run part of the pipeline').click()
  const execution = () =>
    page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/execute'))
  const started = execution()
  await page.getByRole('menuitem', { name: 'Only this task' }).click()
  expect((await started).postDataJSON()).toMatchObject({ onlyNodeId: 'b' })
  await page.getByText('Pipeline has been run.', { exact: true }).waitFor()
  await button(page, 'Run').click()
  await onlyChanged.check()
  expect(await accessibilityProblems(page)).toEqual([])
  const changed = execution()
  await button(run, 'Run').click()
  expect((await changed).postDataJSON()).toMatchObject({ changedOnly: true })
  await run.waitFor({ state: 'detached' })
  await panel.getByLabel('Name', { exact: true }).fill('Renamed')
  await expect.poll(() => button(panel, 'Run part of the pipeline').count()).toBe(0)
  await runSucceeds(page)
  const valuesOfJobId = new URL(page.url()).searchParams.get('jobId')
  // A pipeline cannot be saved while it runs. Task C has run only in the second run.
  await button(node(page, 'c'), 'Status of Task C: succeeded').waitFor()
  await button(header(page), 'Run').waitFor()
  await button(header(page), 'Save').click()
  await button(panel, 'Run part of the pipeline').click()
  const repaired = execution()
  await page.getByRole('menuitem', { name: 'This task and all after it' }).click()
  expect((await repaired).postDataJSON()).toMatchObject({ version: 2, fromNodeId: 'b', valuesOfJobId })
  expect((await (await repaired).response())!.status()).toBe(200)
})

test('with more than 100 tasks only visible ones are drawn, and Tab reaches the others', async () => {
  const ids = Array.from({ length: 101 }, (_, at) => `t${at}`)
  // The second task is far away from the first and the third.
  const positionOfTask = (at: number) =>
    at === 1 ? { x: 9600, y: 6400 } : { x: 320 * (at % 10), y: 256 * Math.floor(at / 10) }
  const payload = JSON.stringify({
    positions: Object.fromEntries(ids.map((id, at) => [id, positionOfTask(at)])),
  })
  const tasks = ids.map((id, at) => ({
    id,
    taskName: 'give',
    taskGroup: 'Scripts',
    taskReadableName: `Task ${at}`,
    taskOverrides: { params: [] },
  }))
  await anna.call(createPipeline, { body: { name: 'Large', groupName: 'Flows', payload, tasks } })
  const page = await stage.open('/Science/Creator/Flows/Large/latest', anna)
  await output(page, 't0').waitFor()
  expect(await nodes(page).count()).toBeLessThan(60)
  const hasFocus = (id: string) =>
    page.waitForFunction((wanted) => document.activeElement?.getAttribute('data-id') === wanted, id)
  await node(page, 't0').focus()
  await expect.poll(() => node(page, 't1').count()).toBe(0)
  for (const [key, id] of [
    ['Tab', 't1'],
    ['Tab', 't2'],
    ['Shift+Tab', 't1'],
    ['Shift+Tab', 't0'],
  ] as const) {
    await page.keyboard.press(key)
    await hasFocus(id)
  }
  await page.keyboard.press('Enter')
  await page.keyboard.press('Delete')
  await button(dialog(page, 'Delete canvas node'), 'Delete').click()
  await expect.poll(() => nodes(page).count()).toBe(100)
})

test('many selected tasks are dragged as one layer: tasks outside the view move too, links follow, and a pause reports the positions', async () => {
  const ids = Array.from({ length: 104 }, (_, at) => `t${at}`)
  // The last two tasks are to the left of the view.
  const positions = Object.fromEntries(
    ids.map((id, at) => [
      id,
      at < 102 ? { x: 320 * (at % 2), y: 192 * Math.floor(at / 2) } : { x: at === 102 ? -704 : -320, y: 0 },
    ]),
  )
  // Each second task takes the output of the one before it.
  const tasks = ids.map((id, at) => {
    const value = `\${00000000-0000-4000-8000-${String(Math.floor(at / 2)).padStart(12, '0')}}`
    return {
      id,
      taskName: at % 2 === 0 ? 'give' : 'take',
      taskGroup: 'Scripts',
      taskReadableName: `Task ${at}`,
      taskOverrides: {
        params: [at % 2 === 0 ? { name: 'Out', type: 'OUTPUT', value } : { name: 'In', value }],
      },
    }
  })
  await anna.call(createPipeline, {
    body: {
      name: 'Dragged',
      groupName: 'Flows',
      payload: JSON.stringify({ positions }),
      tasks: tasks as never,
    },
  })
  const page = await stage.open('/Science/Creator/Flows/Dragged/latest', anna)
  await input(page, 't3').waitFor()
  await node(page, 't0').focus()
  await page.keyboard.press('Control+a')
  await page.locator('.react-flow__node[data-id="t1"].selected').waitFor()
  await node(page, 't1')
    .getByText('Task 1', { exact: true })
    .click({ modifiers: ['Control'] })
  await page.locator('.react-flow__node[data-id="t1"]:not(.selected)').waitFor()

  const copies = page.locator('[data-dragged-links] path')
  const boxOf = async (id: string) => {
    const { x, y } = (await node(page, id).boundingBox())!
    return { x: Math.round(x), y: Math.round(y) }
  }
  const [before, stays] = [await boxOf('t2'), await boxOf('t1')]
  const isMovedBy = (x: number, y: number) =>
    expect.poll(() => boxOf('t2')).toEqual({ x: before.x + x, y: before.y + y })
  const start = await centre(node(page, 't2').getByText('Task 2', { exact: true }))
  const moveBy = (x: number, y: number) => page.mouse.move(start.x + x, start.y + y)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await moveBy(8, 8)
  // The first movement is rendered: tasks outside the view are mounted.
  await moveBy(64, 0)
  await isMovedBy(64, 0)
  await node(page, 't102').waitFor({ state: 'attached' })
  await moveBy(256, 128)
  await isMovedBy(256, 128)
  expect(await boxOf('t1')).toEqual(stays)
  await expect.poll(() => copies.count()).toBe(52)
  await expect.poll(() => linkEnds(page, 't0', 't1', ':scope > path')).toBe(true)
  await expect.poll(() => linkEnds(page, 't2', 't3', 'g > path')).toBe(true)
  await expect.poll(() => linkEnds(page, 't102', 't103', 'g > path')).toBe(true)
  expect(await page.locator('.react-flow__edge').evaluateAll(visibilities)).toEqual(['hidden'])

  // A pause reports the positions while the button is still pressed. The tasks stay below the mouse.
  await isUnsaved(page)
  await isMovedBy(256, 128)
  await moveBy(128, 192)
  await isMovedBy(128, 192)
  await expect.poll(() => linkEnds(page, 't0', 't1', ':scope > path')).toBe(true)
  await page.mouse.up()
  await expect.poll(() => copies.count()).toBe(0)
  await isMovedBy(128, 192)
  expect(await page.locator('.react-flow__edge').evaluateAll(visibilities)).toEqual(['visible'])
  await save(page)
  const moved = Object.fromEntries(
    Object.entries(positions).map(([id, { x, y }]) => [
      id,
      id === 't1' ? { x, y } : { x: x + 128, y: y + 192 },
    ]),
  )
  expect((await saved('Dragged')).canvas.positions).toEqual(moved)
})

/** Returns the different visibilities of elements. */
function visibilities(elements: Element[]): string[] {
  return [...new Set(elements.map((element) => getComputedStyle(element).visibility))]
}

/** Returns whether a copy of a link starts at the output of one task and ends at the input of the other. */
function linkEnds(page: Page, from: string, to: string, selector: string): Promise<boolean> {
  return page.locator('[data-dragged-links]').evaluate(
    (svg, wanted) => {
      const port = (id: string, side: 'source' | 'target') => {
        const { left, right, top, height } = document
          .querySelector(
            `.react-flow__node[data-id="${id}"] .react-flow__handle[data-handleid="${side === 'source' ? 'Out' : 'In'}"]`,
          )!
          .getBoundingClientRect()
        return { x: side === 'source' ? right : left, y: top + height / 2 }
      }
      const isNear = (a: { x: number; y: number }, b: { x: number; y: number }) =>
        Math.hypot(a.x - b.x, a.y - b.y) < 2
      const [start, end] = [port(wanted.from, 'source'), port(wanted.to, 'target')]
      return [...svg.querySelectorAll<SVGPathElement>(wanted.selector)].some((path) => {
        const at = (length: number) => path.getPointAtLength(length).matrixTransform(path.getScreenCTM()!)
        return isNear(at(0), start) && isNear(at(path.getTotalLength()), end)
      })
    },
    { from, to, selector },
  )
}

test('a dialog does not move the focus back to its first field when the user has already left it', async () => {
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Science/creator/New')
  await button(page, 'Add Gives').first().click()
  await expect.poll(() => nodes(page).count()).toBe(1)
  await stopClock(page)
  await page.keyboard.press('Control+s')
  const form = dialog(page, 'Save pipeline')
  const hasFocus = (field: Locator) => field.evaluate((element) => element === document.activeElement)
  await expect.poll(() => hasFocus(form.getByLabel('Name', { exact: true }))).toBe(true)
  await page.keyboard.press('Tab')
  const group = form.getByRole('combobox', { name: 'Group' })
  await expect.poll(() => hasFocus(group)).toBe(true)
  await page.clock.runFor(1000)
  expect(await hasFocus(group)).toBe(true)
})

test('DP-501 DP-518 DP-519 DP-520 unsaved changes are saved before they run, and comments are bubbles during a run', async () => {
  await pipeline('Executed', { isPaused: true, isComplete: true })
  const page = await open('Executed')
  await button(page, 'Comment 1: Why so').dblclick()
  await page.getByLabel('Text of comment 1').fill('Changed')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/mgmt/pipeline') && request.method() !== 'GET')
      sent.push(`${request.method()} ${new URL(request.url()).pathname.split('/').at(-1)!}`)
  })
  await button(header(page), 'Run').click()
  const prompt = dialog(page, 'Pipeline not saved')
  await prompt
    .getByText('There are some unsaved changes. To run the pipeline it needs to be saved first.', {
      exact: true,
    })
    .waitFor()
  expect(sent).toEqual([])
  await button(prompt, 'Save and run').click()
  await page.getByText('Pipeline has been run.', { exact: true }).waitFor()
  expect(sent).toEqual([expect.stringMatching('^PUT '), 'POST execute'])
  await button(page, 'Comment 1: Changed').waitFor()
  await button(page, 'Comment 1: Changed').dblclick()
  await button(header(page), 'Stop').click()
  const stop = button(dialog(page, 'Stop pipeline'), 'Stop')
  await stop.waitFor()
  // The dialog opened after the double click was processed.
  expect(await page.getByLabel('Text of comment 1').count()).toBe(0)
  await stop.click()
  await button(header(page), 'Run').waitFor()
  expect((await saved('Executed')).version).toBe(2)
})

test('a new pipeline that is saved and run has its own URL with the run, and stays on the canvas after a reload', async () => {
  await pipeline('Opened before')
  const page = await open('Opened before')
  await page.goto(`${stage.server.url}/Science/creator/New`)
  await button(page, 'Add Gives').first().click()
  await expect.poll(() => nodes(page).count()).toBe(1)
  await button(page, 'Zoom out').click()
  const view = () => page.locator('.react-flow__viewport').getAttribute('style')
  await expect.poll(view).toMatch(/scale\(0\.8/)
  await button(header(page), 'Run').click()
  await button(dialog(page, 'Pipeline not saved'), 'Save and run').click()
  const form = dialog(page, 'Save pipeline')
  await form.getByLabel('Name', { exact: true }).fill('Saved to run')
  await expect.poll(() => form.getByLabel('Group', { exact: true }).first().inputValue()).toBe('Flows')
  await button(form, 'Save and run').click()
  await page.getByText('Pipeline has been run.', { exact: true }).waitFor()
  await page.waitForURL(/\/Science\/Creator\/Flows\/Saved%20to%20run\/latest\?jobId=/)
  await expect.poll(view, { message: 'the save keeps pan and zoom' }).toMatch(/scale\(0\.8/)
  await page.reload()
  await expect.poll(() => nodes(page).count()).toBe(1)
  await page.getByRole('heading', { name: 'Saved to run' }).waitFor()
})

test('the keyboard alone finds an older version of a pipeline and restores it under its current name', async () => {
  await pipeline('Before', { isLinked: true })
  const { pipeline: first } = await anna.call(getPipelineByName, {
    query: { name: 'Before', groupName: 'Flows' },
  })
  await anna.call(updatePipeline, {
    params: { pipelineId: first.id },
    body: { name: 'After', groupName: 'Flows', tasks: [], version: first.version } as never,
  })
  const page = await stage.open('/Science/Creator/Flows/After/latest', anna)
  await button(header(page), 'More actions').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Versions', exact: true }).waitFor()
  await tabToText(page, 'Versions', 'ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'v1', exact: true }).waitFor()
  await tabToText(page, 'Compare versions')
  await page.keyboard.press('Enter')
  const settings = page.getByRole('table', { name: 'Changed settings' }).getByRole('row')
  await expect
    .poll(() => settings.allInnerTexts())
    .toEqual([
      'Setting\tFrom\tTo',
      'Pipeline · layout and comments\t—\tchanged',
      'Task A\t—\tTask removed',
      'Task B\t—\tTask removed',
      'Task C\t—\tTask removed',
    ])
  expect(new URL(page.url()).search).toBe('?compare=1-2')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog(page, 'Compare versions').waitFor({ state: 'detached' })
  await tabToText(page, 'v1')
  await page.keyboard.press('Enter')
  await button(header(page), 'Restore version 1').waitFor()
  await node(page, 'a').waitFor()
  const folder = process.env['HEADWATER_PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/restore.png` })
  await tabToText(page, 'Restore version 1')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/Science/Creator/Flows/After/latest')
  await page.getByText('Version 1 has been restored as the newest version.', { exact: true }).waitFor()
  await button(header(page), 'Saved').waitFor()
  const restored = await saved('After')
  expect(restored.version).toBe(first.version + 2)
  expect(restored.tasks.map(({ taskReadableName }) => taskReadableName)).toEqual([
    'Task A',
    'Task B',
    'Task C',
  ])
})

test('the toast of a failed run shows two lines of a long message, and opens the details with the log', async () => {
  await script('fail', 'Fails', [], 'raise ValueError("\\n".join(["A long line of the message"] * 14))')
  const task = { id: 'a', taskName: 'fail', taskGroup: 'Scripts', taskReadableName: 'Import' }
  await anna.call(createPipeline, { body: { name: 'Failing', groupName: 'Flows', tasks: [task] as never } })
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Science/Creator/Flows/Failing/latest')
  await button(header(page), 'Run').waitFor()
  // The message about the start would disappear after 5 s of the clock. The end of the run dismisses it earlier.
  await stopClock(page)
  await button(header(page), 'Run').click()
  await button(page.getByRole('dialog'), 'Run').click()
  const alert = page.getByRole('alert').filter({ hasText: 'The run of Failing failed.' })
  const text = alert.getByText(/A long line/)
  const isVisible = async () => {
    await page.clock.runFor(10)
    return text.isVisible()
  }
  await expect.poll(isVisible, { timeout: 60_000 }).toBe(true)
  await pollClock(page, 100, () => page.getByText('Pipeline has been run.', { exact: true }).count()).toBe(0)
  await page.mouse.move(700, 400)
  await expect.poll(() => text.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
  const { height } = (await text.boundingBox())!
  expect(height).toBeLessThan(45)
  await alert.getByRole('link', { name: 'Details' }).click()
  await page.waitForURL(/\/Science\/Monitor\/Details\//)
})

const draftNote = (page: Page) => page.getByText('You have unsaved changes from')

/** Opens a page in another tab of the same browser. */
async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(stage.server.url + path)
  return tab
}
/** From now on, reloads and closing are confirmed although there are unsaved changes. */
const confirmLeaving = (page: Page) => page.on('dialog', (alert) => void alert.accept())
async function closeTab(page: Page): Promise<void> {
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => page.isClosed()).toBe(true)
}
async function rename(page: Page, id: string, name: string): Promise<void> {
  await node(page, id).click()
  await page.getByRole('complementary').getByLabel('Name', { exact: true }).fill(name)
  await node(page, id).getByText(name, { exact: true }).waitFor()
}

test('unsaved changes of a new pipeline survive a reload and a closed tab, until they are discarded', async () => {
  const page = await stage.open('/Science/creator/New', anna)
  await button(page, 'Add Gives').first().click()
  await expect.poll(() => nodes(page).count()).toBe(1)
  confirmLeaving(page)
  await page.reload()
  await draftNote(page).waitFor()
  await expect.poll(() => nodes(page).count()).toBe(1)
  const other = await openTab(page, '/Science/creator/New')
  await button(other, 'Add Gives').first().waitFor()
  expect(await draftNote(other).count()).toBe(0)
  await closeTab(page)
  await other.reload()
  await draftNote(other).waitFor()
  await expect.poll(() => nodes(other).count()).toBe(1)
  expect(await accessibilityProblems(other)).toEqual([])
  await button(other, 'Discard changes').click()
  await expect.poll(() => nodes(other).count()).toBe(0)
  await expect.poll(() => draftNote(other).count()).toBe(0)
  await other.reload()
  await button(other, 'Add Gives').first().waitFor()
  expect(await draftNote(other).count()).toBe(0)
})

test('tabs retain their own unsaved changes of a pipeline; those of a version that is not the newest conflict', async () => {
  await pipeline('Drafted')
  const address = '/Science/Creator/Flows/Drafted/latest'
  const page = await open('Drafted')
  const other = await openTab(page, address)
  await input(other, 'c').waitFor()
  await rename(page, 'a', 'First draft')
  await rename(other, 'b', 'Second draft')
  for (const [tab, id, name] of [
    [page, 'a', 'First draft'],
    [other, 'b', 'Second draft'],
  ] as const) {
    confirmLeaving(tab)
    await tab.reload()
    await draftNote(tab).waitFor()
    await node(tab, id).getByText(name, { exact: true }).waitFor()
    await closeTab(tab)
  }

  const editor = await stage.open(address, anna)
  await input(editor, 'c').waitFor()
  await rename(editor, 'c', 'Newer name')
  await save(editor)

  const third = await openTab(page, address)
  await draftNote(third).waitFor()
  await node(third, 'b').getByText('Second draft', { exact: true }).waitFor()
  await third.getByText('v1, an older version · unsaved changes', { exact: true }).waitFor()
  await third.keyboard.press('Control+s')
  await dialog(third, 'A newer version exists').waitFor()
  await third.keyboard.press('Escape')
  await button(third, 'Discard changes').click()
  await node(third, 'c').getByText('Newer name', { exact: true }).waitFor()
  await button(header(third), 'Saved').waitFor()
  expect(await draftNote(third).count()).toBe(0)

  // The draft of the other tab is the next one.
  await third.reload()
  await node(third, 'a').getByText('First draft', { exact: true }).waitFor()
  await node(third, 'a').focus()
  await third.keyboard.press('Control+z')
  await button(header(third), 'Saved').waitFor()
  expect((await saved('Drafted')).version).toBe(2)
})

test('logging out removes the unsaved changes of closed tabs', async () => {
  await pipeline('Left')
  const page = await open('Left')
  const tab = await openTab(page, '/Science/Creator/Flows/Left/latest')
  await input(tab, 'c').waitFor()
  await rename(tab, 'a', 'Secret draft')
  confirmLeaving(tab)
  await closeTab(tab)
  const stored = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  await expect.poll(stored).toContain('Secret draft')
  await logOutElsewhere(page, stage.server.url)
  await expect.poll(stored).not.toContain('Secret draft')
})

test('DP-509 DP-510 DP-545 DP-546 the badge of a node opens its status box, which reports missing files and data preps and closes within 201 ms', async () => {
  await script('show', 'Shows', [
    { name: 'Source', valueType: 'FILE', optional: true },
    { name: 'Prep', valueType: 'DATA_PREP', optional: true },
  ])
  const lost = JSON.stringify({ id: randomUUID(), name: 'lost.csv', groupName: 'Flows' })
  const params = [{ name: 'Source', value: lost }]
  const { pipeline: facts } = await anna.call(createPipeline, {
    body: {
      name: 'Statuses',
      groupName: 'Flows',
      tasks: [
        {
          id: 'a',
          taskName: 'show',
          taskGroup: 'Scripts',
          taskReadableName: 'Show prices',
          taskOverrides: { params: params as never },
          isPaused: true,
        },
      ],
    },
  })
  const { jobId } = await anna.call(executePipeline, {
    params: { pipelineId: facts.id },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await anna.call(searchStatuses, { query: { jobId } as never })).items
  const page = await stage.open(`/Science/Creator/Flows/Statuses/latest?jobId=${jobId}`, anna)
  const badge = button(node(page, 'a'), 'Status of Show prices: paused')
  await badge.click()
  const box = dialog(page, 'Status of Show prices')
  await box.getByText('Paused', { exact: true }).waitFor()
  const row = box.getByRole('region', { name: `Execution ${job!.componentStatuses[0]!.eId}` })
  await expect
    .poll(() => row.getByRole('term').allInnerTexts())
    .toEqual(['Started', 'Ended', 'Component', 'Node', 'Group', 'Execution'])
  expect(await accessibilityProblems(page)).toEqual([])
  await button(box, 'Show file').click()
  await page.getByText('No file found at the moment of task execution.', { exact: true }).waitFor()
  await button(box, 'Show data prep').click()
  await page.getByText('No data prep found at the moment of task execution.', { exact: true }).waitFor()
  await stopClock(page)
  await page.keyboard.press('Escape')
  await page.clock.runFor(200)
  expect(await box.count()).toBe(1)
  await page.clock.runFor(1)
  await expect.poll(() => box.count()).toBe(0)
  await pollClock(page, 50, () => badge.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('DP-444 DP-446 a save during a run, or with a group that does not exist, is rejected without a request; the next save dismisses the message', async () => {
  await pipeline('Refused', { isPaused: true, isComplete: true })
  const page = await open('Refused')
  const saves: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/mgmt/pipeline/')) saves.push(request.url())
  })
  await button(header(page), 'Run').click()
  await button(page.getByRole('dialog'), 'Run').click()
  await button(header(page), 'Stop').waitFor()
  await node(page, 'b').click()
  const name = page.getByRole('complementary').getByLabel('Name', { exact: true })
  await name.fill('Renamed')
  await page.keyboard.press('Control+s')
  await page
    .getByText('This pipeline is running. Wait until the run finishes, or stop it, then save.', {
      exact: true,
    })
    .waitFor()
  await button(header(page), 'Stop').click()
  await button(dialog(page, 'Stop pipeline'), 'Stop').click()
  await button(header(page), 'Run').waitFor()

  await page.getByRole('complementary').getByLabel('Group name', { exact: true }).fill('{ID:42}')
  await page.keyboard.press('Control+s')
  const rejection = page.getByText(
    '“Group name” of “Renamed” refers to a group that does not exist here. Choose a group, then save the pipeline.',
    { exact: true },
  )
  await rejection.waitFor()
  await isUnsaved(page)
  expect(saves).toEqual([])

  // The message would still be visible for seconds.
  await stopClock(page)
  await page.getByRole('complementary').getByLabel('Group name', { exact: true }).fill('Flows')
  await page.keyboard.press('Control+s')
  await pollClock(page, 50, () => button(header(page), 'Saved').count()).toBe(1)
  expect(await rejection.count()).toBe(0)
})

test('the keyboard alone builds, saves, schedules and runs a pipeline of three tasks with links; nodes have a name, a status and links', async () => {
  const page = await stage.open('/Science/creator/New', anna)
  await button(page, 'Add Gives').first().waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  /** Presses Tab until the element with a name has the focus. */
  async function tabTo(name: string, key = 'Tab'): Promise<void> {
    for (let presses = 0; (await focused()) !== name; presses++) {
      expect(presses, `${name} is not reached`).toBeLessThan(80)
      await page.keyboard.press(key)
    }
  }
  for (const [count, name] of [
    [1, 'Add Gives'],
    [2, 'Add Takes'],
    [3, 'Add Takes'],
  ] as const) {
    await tabTo(name, count === 1 ? 'Tab' : 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => nodes(page).count()).toBe(count)
    await expect.poll(focused).toMatch(/^(Gives|Takes)/)
  }
  await tabTo('Gives, Scripts, no links', 'Shift+Tab')
  const keys = 'Enter selects, L links ports, arrow keys move, Ctrl+D duplicates, Delete deletes'
  await page
    .locator('div:visible', { hasText: new RegExp(`^${keys.replace('+', String.raw`\+`)}$`) })
    .waitFor()
  const description = () =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-describedby')
      return id === undefined || id === null ? undefined : document.getElementById(id)?.textContent
    })
  expect(await description()).toBe(keys)
  await page.locator('.react-flow__handle.source[data-handleid="Out"]').waitFor()
  await expect.poll(() => page.locator('.react-flow__handle.target[data-handleid="In"]').count()).toBe(2)
  for (const downs of [0, 1]) {
    await page.keyboard.press('l')
    await expect.poll(focused).toBe('Output Out, NUMBER')
    await page.keyboard.press('Enter')
    // The second time the input of the first task has its link, and its texts come first: texts take every type.
    for (const first of downs === 0 ? [] : ['Input Whom, TEXT', 'Input Group name, TEXT']) {
      await expect.poll(focused).toBe(first)
      await page.keyboard.press('ArrowDown')
    }
    await expect.poll(focused).toBe('Input In, NUMBER')
    await page.keyboard.press('Enter')
    await expect.poll(() => links(page).count()).toBe(downs + 1)
    await expect.poll(focused).toMatch(/^Gives, /)
  }
  await expect.poll(focused).toBe('Gives, Scripts, Out to In of Takes, Out to In of Takes (1)')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  for (const name of ['Takes, Scripts, In from Out of Gives', 'Takes (1), Takes, In from Out of Gives']) {
    await tabTo(name)
    await page.keyboard.press('Enter')
    await tabToText(page, 'Day')
    await page.keyboard.type('2026-01-01')
    await tabTo('Gives, Scripts, Out to In of Takes, Out to In of Takes (1)', 'Shift+Tab')
  }
  await page.keyboard.press('Control+s')
  const form = dialog(page, 'Save pipeline')
  const hasFocus = (field: Locator) => field.evaluate((element) => element === document.activeElement)
  await expect.poll(() => hasFocus(form.getByLabel('Name', { exact: true }))).toBe(true)
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Flows')
  await page.getByRole('option', { name: 'Flows', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => form.getByLabel('Group', { exact: true }).first().inputValue()).toBe('Flows')
  await tabToText(page, 'Save')
  const before = await button(page, 'More actions').elementHandle()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/Science/Creator/Flows/By%20keyboard/latest')
  // The page of the saved pipeline replaces the one of the new pipeline, and a menu that is open in it.
  await expect.poll(() => before!.evaluate((element) => element.isConnected)).toBe(false)
  const { tasks, canvas } = await saved('By keyboard')
  const value = tasks[0]!.taskOverrides.params[0]!.value
  expect(tasks.map(({ taskReadableName }) => taskReadableName)).toEqual(['Gives', 'Takes', 'Takes (1)'])
  const day = { name: 'Day', type: 'INPUT', value: '2026-01-01' }
  expect(tasks.slice(1).map(({ taskOverrides }) => taskOverrides.params)).toEqual([
    [day, { name: 'In', type: 'INPUT', value }],
    [day, { name: 'In', type: 'INPUT', value }],
  ])
  expect(canvas.positions[tasks[0]!.id]!.y).toBe(256)

  /** Chooses an entry of the menu that a button opens. */
  async function chooseByKey(entry: string): Promise<void> {
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: entry, exact: true }).waitFor()
    await tabToText(page, entry, 'ArrowDown')
    await page.keyboard.press('Enter')
  }
  await tabTo('More actions')
  await chooseByKey('Triggers')
  await page.waitForURL('**/Science/Schedules/Flows/By%20keyboard')
  await button(page, 'Add trigger').first().waitFor()
  await tabToText(page, 'Add trigger')
  await chooseByKey('Cron schedule')
  await hasFocusInside(dialog(page, 'New trigger: Cron schedule'))
  await tabToText(page, 'Save')
  await page.keyboard.press('Enter')
  await page.getByText('Your changes have been saved', { exact: true }).waitFor()
  await dialog(page, 'New trigger: Cron schedule').waitFor({ state: 'detached' })
  const { pipeline: facts } = await anna.call(getPipelineByName, {
    query: { name: 'By keyboard', groupName: 'Flows' },
  })
  expect(facts.schedules).toMatchObject([{ type: 'CRON', cron: '0 7 * * 1-5' }])

  await tabToText(page, 'Open pipeline')
  await page.keyboard.press('Enter')
  await button(header(page), 'Run').waitFor()
  await tabToText(page, 'Run')
  await page.keyboard.press('Enter')
  // The button that opened the dialog has the same text.
  await hasFocusInside(dialog(page, 'Run pipeline'))
  await tabToText(page, 'Run')
  await page.keyboard.press('Enter')
  await dialog(page, 'Run pipeline').waitFor({ state: 'detached' })
  await runSucceeds(page)
  const names = () => nodes(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
  await expect
    .poll(names)
    .toEqual([
      'Gives, Scripts, succeeded, Out to In of Takes, Out to In of Takes (1)',
      'Takes, Scripts, succeeded, In from Out of Gives',
      'Takes (1), Takes, succeeded, In from Out of Gives',
    ])
})

/** Waits until a dialog has taken the focus, which it does in a timer after it has appeared. */
async function hasFocusInside(of: Locator): Promise<void> {
  await expect.poll(() => of.evaluate((element) => element.contains(document.activeElement))).toBe(true)
}

/** Presses a key until the element with a text, or the field with a label, has the focus. */
async function tabToText(page: Page, text: string, key = 'Tab'): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : element
      return label?.textContent?.trim().replace(/ ?\*$/, '')
    })
  for (let presses = 0; (await focused()) !== text; presses++) {
    expect(presses, `${text} is not reached`).toBeLessThan(80)
    await page.keyboard.press(key)
  }
}
