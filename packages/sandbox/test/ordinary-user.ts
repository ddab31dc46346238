import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ScriptResult, ScriptRun } from './run-script.ts'

/** Options of setpriv that switch to a user without privileges. */
const change = ['--reuid', '65533', '--regid', '65533', '--clear-groups']

/** A copy of this package that an ordinary user can read, even if root owns the project folder. */
export interface OrdinaryUser {
  /** Runs a script and returns its result. */
  run(run: ScriptRun): Promise<ScriptResult>
  /** Starts a run and returns its process to the caller. */
  start(run: ScriptRun): ChildProcess
  /** Removes the copy. */
  remove(): void
}

/** Returns whether this process can switch to an ordinary user that can execute this Node binary. */
export function canBeOrdinaryUser(): boolean {
  const isRoot = process.getuid?.() === 0
  return isRoot && spawnSync('setpriv', [...change, process.execPath, '-e', '0'], { cwd: '/' }).status === 0
}

/** Creates the copy. */
export function copyForOrdinaryUser(): OrdinaryUser {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-copy-'))
  chmodSync(folder, 0o755)
  for (const name of ['src', 'test', 'package.json']) {
    cpSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), join(folder, name), { recursive: true })
  }

  function start(run: ScriptRun): ChildProcess {
    const command = [...change, process.execPath, join(folder, 'test/run-script.ts')]
    const child = spawn('setpriv', command, {
      cwd: '/',
      env: { PATH: process.env.PATH, HEADWATER_TEST_SECRET: process.env.HEADWATER_TEST_SECRET },
    })
    child.stdin.end(JSON.stringify(run))
    return child
  }

  return {
    start,
    async run(run) {
      const child = start(run)
      const [output, errors] = await Promise.all([
        text(child.stdout!),
        text(child.stderr!),
        once(child, 'close'),
      ])
      if (child.exitCode !== 0) throw new Error(errors)
      return JSON.parse(output) as ScriptResult
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
