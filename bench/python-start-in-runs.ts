// How soon a script starts and ends over HTTP: beside slow scripts, and with an environment of packages.
import { median, p95, atMost, type Figure } from './figure.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const rounds = 20
const slowScripts = 3
const quick = 'print(1)'

/** Measures runs of one script, from the request to the response with the end, on a server with the packages of the system. */
export default async function startInRuns(): Promise<Figure[]> {
  return withProduct(
    async (product) => {
      await product.createGroup('Scripts')
      const plain = await pipelineOf(product, 'plain', quick)
      const pandas = await pipelineOf(product, 'pandas', quick, ['pandas'])
      const times = { plain: [] as number[], pandas: [] as number[] }
      for (let round = -3; round < rounds; round++)
        for (const [name, id] of [
          ['plain', plain],
          ['pandas', pandas],
        ] as const) {
          const ms = await run(product, id)
          if (round >= 0) times[name].push(ms)
        }
      const slow = await pipelineOf(product, 'slow', 'import time\nprint("begun")\nwhile True: time.sleep(1)')
      for (let number = 0; number < slowScripts; number++) await product.post(executionOf(slow), {})
      while ((await runningOf(product)) < slowScripts) await new Promise((wait) => setTimeout(wait, 50))
      const beside: number[] = []
      for (let round = 0; round < rounds; round++) beside.push(await run(product, plain))
      return [
        atMost(1000, {
          name: `a script beside ${slowScripts} slow ones of the user, from the request to its end, p95`,
          value: p95(beside),
          unit: 'ms',
        }),
        atMost(20, {
          name: 'additional time of a script with the pandas of the system, which it does not import',
          value: median(times.pandas) - median(times.plain),
          unit: 'ms',
        }),
      ]
    },
    { HEADWATER_PACKAGES: 'system' },
  )
}

const executionOf = (pipelineId: string) => `/mgmt/pipeline/${pipelineId}/execute`

/** Returns the milliseconds of a run. */
async function run(product: Product, pipelineId: string): Promise<number> {
  const startedMs = performance.now()
  const response = await product.post(executionOf(pipelineId), { waitSeconds: 60 })
  const { status } = JSON.parse(String(response)) as { status: string }
  if (status !== 'INFO') throw new Error(`A run ended with ${status}.`)
  return performance.now() - startedMs
}

/** Returns the number of runs whose script is running. */
async function runningOf(product: Product): Promise<number> {
  const { items } = JSON.parse(String(await product.get('/status?size=10'))) as {
    items: { componentStatuses: { message: string }[] }[]
  }
  return items.filter(({ componentStatuses }) => componentStatuses[0]?.message === 'begun').length
}

/** Saves a script and a pipeline that executes it. */
async function pipelineOf(
  product: Product,
  name: string,
  script: string,
  packages: readonly string[] = [],
): Promise<string> {
  await product.post('/mgmt/task', {
    name,
    groupName: 'Scripts',
    definitionName: 'python-runner',
    params: [{ name: 'Script', value: script, valueType: 'SCRIPT' }],
    requirements: packages.map((each) => ({ name: each })),
  })
  const tasks = [{ id: name, taskReadableName: name, taskName: name, taskGroup: 'Scripts', prevTasks: [] }]
  const saved = await product.post('/mgmt/pipeline', { name, groupName: 'Scripts', tasks })
  return (JSON.parse(String(saved)) as { pipeline: { id: string } }).pipeline.id
}
