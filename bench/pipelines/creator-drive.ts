// Drives the pipeline creator in a benchmark.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Product } from '../timeseries/product.ts'
import { graphTasks, inputNames } from './creator-graph.ts'
import { pageScript } from './creator-page.ts'

/**
 * Stores pipelines of Python tasks in the group `flows`.
 * @param counts number of tasks by the name of the pipeline
 */
export async function saveGraph(product: Product, counts: Readonly<Record<string, number>>): Promise<void> {
  for (const group of ['flows', 'scripts']) await product.createGroup(group)
  const params = [
    { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' },
    { name: 'Out', type: 'OUTPUT', valueType: 'TEXT' },
    ...inputNames.map((name) => ({ name, defaultValue: 'x' })),
  ]
  const task = {
    name: 'take',
    groupName: 'scripts',
    readableName: 'Takes',
    definitionName: 'python-runner',
    params,
  }
  await product.post('/mgmt/task', task)
  for (const [name, count] of Object.entries(counts))
    await product.post('/mgmt/pipeline', {
      name,
      groupName: 'flows',
      payload: JSON.stringify({
        positions: Object.fromEntries(graphTasks(count).map(({ id, position }) => [id, position])),
      }),
      tasks: graphTasks(count).map(({ id, label, from, after }) => ({
        id,
        taskName: 'take',
        taskGroup: 'scripts',
        taskReadableName: label,
        taskOverrides: {
          params: [
            { name: 'Out', type: 'OUTPUT', value: referenceOf(id) },
            ...(from === undefined ? [] : [{ name: 'In', value: referenceOf(from) }]),
          ],
        },
        prevTasks: after.map((each) => ({ id: each })),
      })),
    })
}

function referenceOf(id: string): string {
  return `\${00000000-0000-4000-8000-${id.slice(1).padStart(12, '0')}}`
}

/** Opens a context whose pages have the functions of `window.bench`. */
export async function newCreatorContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await context.addInitScript(pageScript)
  return context
}

/** Opens an address and waits until a node follows the mouse. */
export async function visitCreator(
  context: BrowserContext,
  url: string,
): Promise<{ page: Page; opened: number }> {
  const page = await context.newPage()
  page.on('pageerror', (error) => console.log(error.message))
  page.on('console', (message) => {
    if (message.text().startsWith('first node')) console.log(`${url.slice(-20)}: ${message.text()} ms`)
  })
  await page.goto(url)
  for (let tries = 0; tries < 600; tries++) {
    const opened = await page.evaluate<number>('window.bench.opened')
    if (opened > 0) return { page, opened }
    await sleep(100)
  }
  throw new Error('No node followed the mouse within a minute.')
}

/** Returns 100 tasks with their links in the clipboard format of the creator. */
export function copiedTasks(): string {
  const tasks = graphTasks(100)
  const ids = new Set(tasks.map(({ id }) => id))
  const nodes = tasks.map(({ id, label, position }) => ({
    id,
    label,
    position,
    data: {
      taskName: 'take',
      taskGroup: 'scripts',
      taskVersion: null,
      taskCategory: '',
      taskOverrides: { params: [] },
      isPaused: false,
    },
  }))
  const links = tasks.flatMap(({ id, from }) =>
    from !== undefined && ids.has(from)
      ? [{ id: `${from} ${id}`, from: { node: from, port: 'Out' }, to: { node: id, port: 'In' } }]
      : [],
  )
  return JSON.stringify({ canvas: 'headwater-pipeline', nodes, links, comments: [] })
}
