import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  administratorOf,
  administratorPassword,
  startServerProcess,
  type ServerProcess,
} from './server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

let readme: string
let folder: string
let server: ServerProcess
/** Output of the HTTP example. */
let printed: string

beforeAll(async () => {
  readme = await readFile(join(root, 'README.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'headwater-readme-'))
  server = await startServerProcess(join(folder, 'data'))
  printed = await goTheWayOverHttp()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the code blocks of a language without the indentation of a list. */
function blocks(language: string): string[] {
  const matches = readme.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))
  return [...matches].map(([, indent = '', text = '']) => text.replace(new RegExp(`^${indent}`, 'gm'), ''))
}

/** Runs the HTTP example of the README: file, group, upload, query. */
async function goTheWayOverHttp(): Promise<string> {
  const shell = blocks('sh')
  const convert = shell.find((text) => text.includes('sed -e'))!
  const overHttp = shell.find((text) => text.includes('curl'))!
  await writeFile(join(folder, 'brent.csv'), blocks('csv')[0]!)
  const script = [
    convert,
    overHttp
      .replace('http://localhost:8080', server.url)
      .replace('admin@localhost.localdomain:', 'admin@example.com:'),
  ].join('\n')
  const { stdout } = await run('bash', ['-euc', script], {
    cwd: folder,
    env: { PATH: process.env.PATH, PASSWORD: administratorPassword },
  })
  return stdout
}

test('the HTTP example of the README works as written: file, group, upload, query', async () => {
  expect(await readFile(join(folder, 'brent.ncsv'), 'utf8')).toBe(
    'Commodity,Date,Price\nBrent,2026-08-17,92.43\nBrent,2026-08-18,95.29\n',
  )
  expect(printed).toContain('"status":"READY"')
  expect(printed).toContain(
    'Commodity,Date(UTC),Price\nBrent,2026-08-17T00:00:00,92.43\nBrent,2026-08-18T00:00:00,95.29\n',
  )
})

test('the Python task of the README reads the data of the HTTP example', async () => {
  const api = administratorOf(server.url)
  const task = { taskName: 'asks', taskGroupName: 'Prices over HTTP' }
  await api.post('/mgmt/task', {
    name: task.taskName,
    groupName: task.taskGroupName,
    definitionName: 'python-runner',
    params: [{ name: 'Script', value: blocks('python')[0]!, valueType: 'SCRIPT' }],
  })
  const { jobId } = await api.post('/mgmt/task/execute', task)
  const job = async () => {
    const { items } = await api.get(`/status?jobId=${String(jobId)}`)
    return (items as { endTime?: string; componentStatuses: { message: string }[] }[])[0]
  }
  await expect.poll(async () => (await job())?.endTime).toBeDefined()
  const messages = (await job())?.componentStatuses.map(({ message }) => message).join('\n')
  expect(messages).toContain('Brent,2026-08-18T00:00:00,95.29')
})

test('the commands of the README exist', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [, command] of readme.matchAll(/npm (?:run )?([a-z-]+)/g))
    expect(scripts).toHaveProperty(command!)
})
