import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { ensureChromium, preferHeadlessShell } from '../chromium.mjs'
import { ensureDependencies } from '../dependencies.mjs'
import { guardProcessGroup } from '../process-guard.mjs'
import { ErrorForPeople, runStep, runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'
import { ensureSandboxPrograms } from '../sandbox-programs.mjs'
import { countTests, summaryLine } from '../test-summary.mjs'
import { ensureWebApp } from '../web-app.mjs'

/** Required free space. The databases, engines and browsers of a run need about half of it at a time. */
const neededBytes = 2_000_000_000

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

/**
 * `npm test`: runs every test and prints one line with the counts at the very end. Arguments after `--` go to Vitest, for example a
 * path to run only some of the tests.
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, command?: string[] }} [options] variables and the command for Vitest, default `run`
 * @returns {Promise<number>} exit code
 */
export default async function test(args, { env = {}, command = ['run'] } = {}) {
  requireSpace(tmpdir())
  const node = await ensureNode()
  await ensureDependencies(node)
  await ensureWebApp(node)
  await ensureChromium(process.env, install('Chromium'))
  await preferHeadlessShell(process.env, install('Chromium’s headless shell'))
  const noSandbox = await ensureSandboxPrograms(install('bubblewrap, Python and its packages'))
  if (noSandbox) console.error(noSandbox)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-tests-'))
  const guard = guardProcessGroup(folder)
  try {
    const { exitCode, results } = await runVitest(
      [node, vitest, ...command, ...args],
      { ...process.env, ...env },
      folder,
      (child) => guard.watch(child),
    )
    const counts = countTests(results)
    const good = exitCode === 0 && counts.failed === 0 && counts.passed > 0
    if (counts.passed + counts.failed === 0) console.error('No test ran.')
    console.log(summaryLine(counts))
    return good ? 0 : exitCode || 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
    guard.release()
  }
}

/**
 * Throws when a folder has too little free space for a test run.
 * @param {string} folder
 * @param {(path: string) => { bavail: number, bsize: number }} [stat]
 */
export function requireSpace(folder, stat = statfsSync) {
  const { bavail, bsize } = stat(folder)
  if (bavail * bsize >= neededBytes) return
  const megabytes = (bytes) => Math.floor(bytes / 1_000_000)
  throw new ErrorForPeople(
    `The temporary folder ${folder} has ${megabytes(bavail * bsize)} MB free; the tests need ${megabytes(neededBytes)} MB. ` +
      'Free some space, or set TMPDIR to a folder on another disk.',
  )
}

async function runVitest(program, env, folder, onStart) {
  const report = join(folder, 'report.json')
  const exitCode = await runToExit(program, {
    cwd: root,
    env: { ...env, HEADWATER_TEST_REPORT: report },
    onStart,
  })
  return { exitCode, results: readReport(report) }
}

function install(what) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return (command) => runStep(`Installing ${what} (${command.join(' ')})`, command, { env })
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new ErrorForPeople('The tests ended without a report. The output above contains the reason.')
  }
}
