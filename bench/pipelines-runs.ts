// The run engine over HTTP: runs of ten steps that do nothing, runs of many branches, and light Python steps one after the other.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, median, type Figure } from './figure.ts'
import { installPeers, peerVersion } from './peers.ts'
import { withNodeRed } from './pipelines/node-red.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 5)
const loneRuns = 60
const sharedRuns = 400
const clients = 16
const peers = fileURLToPath(new URL('pipelines', import.meta.url))

interface Node {
  id: string
  prevTasks?: { id: string }[]
  taskName?: string
  taskGroup?: string
  taskOverrides?: { params: { name: string; value: string }[] }
}

/**
 * Measures the time from the request that starts a run to the response with its result; the product stores everything
 * durably.
 */
export default async function runs(): Promise<Figure[]> {
  installPeers(peers, 'node-red')
  return withProduct((product, folder) =>
    withNodeRed(join(folder, 'node-red'), 10, (callNodeRed) => measure(product, callNodeRed)),
  )
}

async function measure(product: Product, callNodeRed: () => Promise<void>): Promise<Figure[]> {
  await product.createGroup('Flows')
  await product.post('/mgmt/task', {
    name: 'light',
    groupName: 'Flows',
    definitionName: 'python-runner',
    params: [{ name: 'Script', value: 'print(1)', valueType: 'SCRIPT' }],
  })
  const chain = await pipeline(product, 'ten steps', chainOf(10, nothing))
  const fused = await pipeline(product, 'ten fused steps', chainOf(10, nothing), 'fused')
  const fan = await pipeline(product, 'fan', fanOf(50))
  const scripts = await pipeline(
    product,
    'forty scripts',
    chainOf(40, { taskName: 'light', taskGroup: 'Flows' }),
  )
  const measured: Record<'one' | 'rate' | 'fused' | 'peer' | 'fan' | 'scripts', number[]> = {
    one: [],
    rate: [],
    fused: [],
    peer: [],
    fan: [],
    scripts: [],
  }
  for (let round = 0; round <= rounds; round++) {
    const one = await times(product, chain, loneRuns)
    const rate = await rateOf(() => execute(product, chain))
    const fusedRate = await rateOf(() => execute(product, fused))
    const peerRate = await rateOf(callNodeRed)
    const [fanMs, scriptsMs] = [median(await times(product, fan, 5)), (await times(product, scripts, 1))[0]!]
    console.log({ one: median(one), rate, fusedRate, peerRate, fanMs, scriptsMs })
    if (round === 0) continue
    measured.one.push(median(one))
    measured.rate.push(rate)
    measured.fused.push(fusedRate)
    measured.peer.push(peerRate)
    measured.fan.push(fanMs)
    measured.scripts.push(scriptsMs)
  }
  const peer = { name: `Node-RED ${peerVersion(peers, 'node-red')}, in memory`, rate: median(measured.peer) }
  return [
    atMost(15, { name: 'ten steps, one client, p50', value: median(measured.one), unit: 'ms' }),
    atLeast(`ten steps, ${clients} clients`, median(measured.rate), peer),
    atLeast(`ten fused steps, ${clients} clients`, median(measured.fused), peer),
    atMost(100, {
      name: 'one step, fifty after it, one after them',
      value: median(measured.fan),
      unit: 'ms',
    }),
    atMost(1200, {
      name: 'forty light Python steps in sequence',
      value: median(measured.scripts),
      unit: 'ms',
    }),
  ]
}

/** Returns the figure of a rate beside that of a peer. */
function atLeast(name: string, rate: number, peer: { name: string; rate: number }): Figure {
  const value = Math.round(rate)
  const ratio = rate / peer.rate
  return { name, value, unit: 'runs/s', peer: peer.name, ratio, goal: '≥ 300 runs/s', holds: rate >= 300 }
}

/** A step that does nothing: within a run, the trigger of a schedule succeeds at once. */
const nothing = {
  taskName: 'cron-trigger',
  taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
}

function chainOf(length: number, node: Omit<Node, 'id' | 'prevTasks'>): Node[] {
  return Array.from({ length }, (_, index) => ({
    ...node,
    id: `step ${index}`,
    prevTasks: index === 0 ? [] : [{ id: `step ${index - 1}` }],
  }))
}

function fanOf(width: number): Node[] {
  const ids = Array.from({ length: width }, (_, index) => `fan ${index}`)
  return [
    { ...nothing, id: 'first' },
    ...ids.map((id) => ({ ...nothing, id, prevTasks: [{ id: 'first' }] })),
    { ...nothing, id: 'last', prevTasks: ids.map((id) => ({ id })) },
  ]
}

async function pipeline(
  product: Product,
  name: string,
  nodes: readonly Node[],
  executionMode = 'durable',
): Promise<string> {
  const tasks = nodes.map((node) => ({ ...node, taskReadableName: node.id }))
  const saved = JSON.parse(
    String(await product.post('/mgmt/pipeline', { name, groupName: 'Flows', executionMode, tasks })),
  ) as {
    pipeline: { id: string }
  }
  return saved.pipeline.id
}

/** Returns the number of calls per second that all clients together make and await. */
async function rateOf(call: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  const client = async () => {
    for (let number = 0; number < sharedRuns / clients; number++) await call()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return sharedRuns / ((performance.now() - startedMs) / 1000)
}

/** Starts runs one after the other and returns the milliseconds from each request to the response with its end. */
async function times(product: Product, pipelineId: string, count: number): Promise<number[]> {
  const list: number[] = []
  for (let number = 0; number < count; number++) {
    const startedMs = performance.now()
    await execute(product, pipelineId)
    list.push(performance.now() - startedMs)
  }
  return list
}

/** Starts a run and waits for the response with its end. */
async function execute(product: Product, pipelineId: string): Promise<void> {
  const response = await product.post(`/mgmt/pipeline/${pipelineId}/execute`, { waitSeconds: 60 })
  const { status } = JSON.parse(String(response)) as { status: string }
  if (status !== 'INFO') throw new Error(`A run ended with ${status}.`)
}
