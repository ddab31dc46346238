import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDataFolder } from './data-folder.ts'
import type { DataFolder } from './data-folder.ts'

let base: string
const open: DataFolder[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'headwater data '))
  await chmod(base, 0o755)
})

afterEach(async () => {
  for (const folder of open.splice(0)) await folder.close()
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

afterAll(() => rm(base, { recursive: true, force: true }))

async function opened(path: string): Promise<DataFolder> {
  const folder = await openDataFolder(path)
  open.push(folder)
  return folder
}

test('a new folder and its parts are inaccessible to other users', async () => {
  const folder = await opened(join(base, 'new', 'deep'))
  const forOthers = process.getuid?.() === 0 ? 0o011 : 0
  expect((await stat(folder.path)).mode & 0o077).toBe(forOthers)
  const { packages, ...parts } = folder.folders
  for (const part of Object.values(parts)) expect((await stat(part)).mode & 0o077).toBe(0)
  expect((await stat(packages)).mode & 0o077).toBe(forOthers)
})

test('rejects a path where folders cannot be created', async () => {
  const path = '/proc/headwater/data'
  await expect(openDataFolder(path)).rejects.toThrow(`The data folder ${path} cannot be written`)
})

test('creates secrets once per folder, readable by the owner only', async () => {
  const path = join(base, 'secrets')
  const first = await opened(path)
  await first.close()
  const again = await opened(path)
  expect(again.secrets).toEqual(first.secrets)
  expect(Buffer.from(again.secrets.tokenSigningKey, 'base64url')).toHaveLength(64)
  expect((await opened(join(base, 'other'))).secrets.tokenSigningKey).not.toBe(again.secrets.tokenSigningKey)

  const file = join(path, 'secrets.json')
  await again.close()
  await chmod(file, 0o644)
  await opened(path)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('with damaged secrets the start fails, leaves the file unchanged and releases the folder', async () => {
  const path = join(base, 'damaged')
  await (await opened(path)).close()
  const file = join(path, 'secrets.json')
  await writeFile(file, '{"tokenSigningKey": "short"}')
  await expect(openDataFolder(path)).rejects.toThrow(`The file ${file} is damaged`)
  expect(await readFile(file, 'utf8')).toBe('{"tokenSigningKey": "short"}')
  await expect(openDataFolder(path)).rejects.toThrow('is damaged')
})

test('rejects a second start on the same folder, through any path, and names the process', async () => {
  const path = join(base, 'twice')
  await opened(path)
  await expect(openDataFolder(path)).rejects.toThrow(`in use by another server, process ${process.pid}`)
  await symlink(path, join(base, 'link'))
  await expect(openDataFolder(join(base, 'link'))).rejects.toThrow('in use by another server')
})

test('opens a closed folder again', async () => {
  const path = join(base, 'reopened')
  await (await opened(path)).close()
  expect((await opened(path)).path).toBe(path)
})

test('a lock of another process lasts until that process is killed', async () => {
  const path = join(base, 'killed')
  const holder = inAnotherProcess(path)
  expect(await holder.outcome).toBe('open')
  await expect(openDataFolder(path)).rejects.toThrow(`process ${holder.child.pid}`)
  await killed(holder.child)
  expect((await opened(path)).path).toBe(path)
})

test('exactly one of several concurrent starts gets the folder, even after the holder was killed', async () => {
  const path = join(base, 'race')
  for (const _round of ['fresh', 'after a kill']) {
    const starts = Array.from({ length: 6 }, () => inAnotherProcess(path))
    const outcomes = await Promise.all(starts.map((start) => start.outcome))
    expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.includes('in use by'))).toHaveLength(5)
    await Promise.all(starts.map(({ child }) => killed(child)))
  }
})

test('reports a full disk', async () => {
  await expect(openDataFolder(join(base, 'full'), { minFreeBytes: 1e18 })).rejects.toThrow(
    /The disk of the data folder .* is full: \d+ MB are free and 1000000000000 MB are needed/,
  )
})

test('reports a folder that this user cannot write to', async () => {
  const parent = join(base, 'read-only')
  await (await opened(parent)).close()
  await chmod(parent, 0o555)
  // Root can write anywhere except to kernel file systems.
  const path = process.getuid?.() === 0 ? '/sys/headwater' : join(parent, 'inner')
  await expect(openDataFolder(path)).rejects.toThrow(`The data folder ${path} cannot be written: `)
  // Otherwise the owner could not remove the content.
  await chmod(parent, 0o755)
})

test('reports a path that leads through a file', async () => {
  const file = join(base, 'file')
  await writeFile(file, '')
  await expect(openDataFolder(join(file, 'inner'))).rejects.toThrow('a part of its path is a file (ENOTDIR)')
  await expect(openDataFolder(file)).rejects.toThrow('a file with that name exists (EEXIST)')
})

/** Opens the folder in another Node process, which keeps it open. The outcome is `open` or the error message. */
function inAnotherProcess(path: string): { child: ChildProcess; outcome: Promise<string> } {
  const script = `
    import { openDataFolder } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)}
    openDataFolder(${JSON.stringify(path)}).then(
      () => { console.log('open'); setInterval(() => {}, 1000) },
      (error) => console.log(error.message),
    )`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const outcome = new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the other process ended with ${code}`)))
  })
  return { child, outcome }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
