// Node-RED as a peer of the run engine: a flow of ten nodes between an HTTP request and its response, in memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { Agent, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` beside Node-RED with a flow. `call` sends a message through the flow and waits for the response.
 * @param folder folder for its settings, which does not exist yet
 * @param length number of nodes between the request and the response
 */
export async function withNodeRed<T>(
  folder: string,
  length: number,
  work: (call: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const settings = { uiPort: port, uiHost: '127.0.0.1', httpAdminRoot: false, flowFile: 'flows.json' }
  await mkdir(folder)
  await writeFile(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)}`)
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flowOf(length)))
  const script = createRequire(import.meta.url).resolve('node-red/red.js')
  const child = spawn(process.execPath, [script, '-u', folder], { stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const call = async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const url = `http://127.0.0.1:${port}/run`
      request(url, { method: 'POST', agent }, resolve).once('error', reject).end()
    })
    response.resume()
    await once(response, 'end')
    if (response.statusCode !== 200) throw new Error(`Node-RED responded with ${response.statusCode}.`)
  }
  try {
    while (!(await isReady(call))) await sleep(100)
    return await work(call)
  } finally {
    agent.destroy()
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

async function isReady(call: () => Promise<void>): Promise<boolean> {
  try {
    await call()
    return true
  } catch {
    return false
  }
}

function flowOf(length: number): object[] {
  const steps = Array.from({ length }, (_, index) => ({
    id: `step ${index}`,
    type: 'change',
    z: 'flow',
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: '1', tot: 'num' }],
    wires: [[index === length - 1 ? 'end' : `step ${index + 1}`]],
  }))
  return [
    { id: 'flow', type: 'tab', label: 'flow' },
    { id: 'start', type: 'http in', z: 'flow', url: '/run', method: 'post', wires: [['step 0']] },
    ...steps,
    { id: 'end', type: 'http response', z: 'flow', wires: [] },
  ]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
