// Runs test files again and again in one Vitest, each time with other texts in place of some source files. Nothing is
// written to the sources: Vite gets the edited text from a plugin, other processes get it from worker-hook.mjs.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createVitest } from 'vitest/node'

const hook = fileURLToPath(new URL('worker-hook.mjs', import.meta.url))

/**
 * @typedef {object} RunResult
 * @property {'passed' | 'failed' | 'timeout'} outcome
 * @property {number} durationMs
 * @property {string[]} reached regions as `file:number`, if the edited sources count them
 */

/**
 * Starts Vitest with the settings of the project named `server` in vitest.config.ts, or with its defaults.
 * @param {string} root folder of the project
 */
export async function startTestRunner(root) {
  const settings = await readSettings(root)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-mutation-'))
  const processes = join(folder, 'processes')
  mkdirSync(processes)
  // Vitest leaves its own temporary folder behind when it is stopped in the middle of an endless test.
  process.env.TMPDIR = folder
  const outerOptions = process.env.NODE_OPTIONS
  const edits = new Map()
  const stuck = []
  let vitest = await openVitest()

  return {
    /**
     * Runs one test file.
     * @param {string} testFile absolute path
     * @param {Map<string, string>} sources text by absolute path, in place of what the disk has
     * @param {number} timeoutMs after which the run is stopped
     * @returns {Promise<RunResult>}
     */
    async run(testFile, sources, timeoutMs) {
      for (const file of new Set([...edits.keys(), ...sources.keys()])) vitest.invalidateFile(file)
      edits.clear()
      for (const [file, source] of sources) edits.set(file, source)
      writeFileSync(join(folder, 'edited.json'), JSON.stringify(Object.fromEntries(sources)))
      writeFileSync(join(folder, 'reached'), '')
      return await runOnce(testFile, timeoutMs)
    },
    async close() {
      await vitest.close()
      for (const one of stuck) await Promise.race([one.close(), elapsed(10_000)])
      rmSync(folder, { recursive: true, force: true })
    },
    /** For a signal that leaves no time to close: stops the tests and removes the temporary folder. */
    abandon() {
      killProcesses()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function openVitest() {
    const vitest = await createVitest(
      'test',
      {
        ...settings,
        root,
        config: false,
        watch: false,
        passWithNoTests: true,
        bail: 1,
        maxWorkers: 1,
        reporters: [{}],
        silent: true,
        // Its key is the text on the disk, which is the same for every mutant.
        fsModuleCache: false,
        cache: false,
      },
      { configFile: false, root, logLevel: 'silent', plugins: [editedSources(edits)] },
      // What a mutant prints would hide the report.
      { stdout: silentStream(), stderr: silentStream() },
    )
    await vitest.standalone()
    return vitest
  }

  async function runOnce(testFile, timeoutMs) {
    process.env.HEADWATER_MUTATION = folder
    process.env.NODE_OPTIONS = [outerOptions, `--import=${pathToFileURL(hook).href}`]
      .filter(Boolean)
      .join(' ')
    const limit = startLimit(timeoutMs)
    const startedAt = performance.now()
    try {
      const specification = vitest.projects[0].createSpecification(testFile)
      const result = await Promise.race([vitest.runTestSpecifications([specification]), limit.stuck])
      if (result === undefined) {
        stuck.push(vitest)
        vitest = await openVitest()
        return { outcome: 'timeout', durationMs: performance.now() - startedAt, reached: [] }
      }
      const modules = result.testModules.filter(({ moduleId }) => moduleId === testFile)
      const hasPassed =
        result.unhandledErrors.length === 0 && modules.length > 0 && modules.every((module) => module.ok())
      return {
        outcome: limit.isOver ? 'timeout' : hasPassed ? 'passed' : 'failed',
        durationMs: performance.now() - startedAt,
        reached: readFileSync(join(folder, 'reached'), 'utf8').split('\n').filter(Boolean),
      }
    } finally {
      limit.end()
      delete process.env.HEADWATER_MUTATION
      restore('NODE_OPTIONS', outerOptions)
      // Vitest marks its own process as failed when a test fails, which is what a mutant is for.
      process.exitCode = 0
    }
  }

  /**
   * Kills the processes of a run at its limit. Vitest sometimes waits forever for a process that dies while it ends;
   * `stuck` then resolves to undefined, and a new Vitest must continue.
   */
  function startLimit(timeoutMs) {
    const limit = { isOver: false }
    let timer
    limit.stuck = new Promise((resolve) => {
      timer = setTimeout(() => {
        limit.isOver = true
        killProcesses()
        timer = setTimeout(resolve, 10_000)
      }, timeoutMs)
    })
    limit.end = () => clearTimeout(timer)
    return limit
  }

  function killProcesses() {
    if (!existsSync(processes)) return
    for (const name of readdirSync(processes)) {
      try {
        process.kill(Number(name), 'SIGKILL')
      } catch {
        // It has exited already.
      }
      rmSync(join(processes, name), { force: true })
    }
  }
}

/** Serves a string in place of a file. */
function editedSources(edits) {
  return {
    name: 'headwater-mutation',
    enforce: 'pre',
    load(id) {
      return edits.get(id.replace(/[?#].*$/, ''))
    },
  }
}

function elapsed(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function restore(name, value) {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

function silentStream() {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

async function readSettings(root) {
  const file = join(root, 'vitest.config.ts')
  if (!existsSync(file)) return {}
  const { test = {} } = (await import(pathToFileURL(file).href)).default
  const { projects = [], ...shared } = test
  const server = projects.find((project) => project.test?.name === 'server')
  return { ...shared, ...server?.test }
}
