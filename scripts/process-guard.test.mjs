import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const guard = join(import.meta.dirname, 'process-guard.mjs')

test('when a test run is killed, the guard ends its processes and removes its folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-guard-'))
  const script = `
    import { spawn } from 'node:child_process'
    import { guardProcessGroup } from ${JSON.stringify(guard)}
    const guard = guardProcessGroup(${JSON.stringify(folder)})
    const child = spawn('sh', ['-c', 'sleep 1000 & echo $! ; wait'], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    guard.watch(child)
    // After the guard knows the group, so that the kill does not come before.
    child.stdout.once('data', (text) => process.stdout.write(text))
    setInterval(() => {}, 1000)`
  const run = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const grandchild = await new Promise((resolve) => {
    run.stdout.once('data', (text) => resolve(Number(text)))
  })
  onTestFinished(() => {
    if (isRunning(grandchild)) process.kill(grandchild, 'SIGKILL')
  })
  expect(isRunning(grandchild)).toBe(true)
  run.kill('SIGKILL')
  await expect.poll(() => isRunning(grandchild), { timeout: 10_000 }).toBe(false)
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false)
})

/** Returns whether a process is running. A zombie, whose exit code has not been read, is not. */
function isRunning(pid) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
