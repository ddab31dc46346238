import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { ensureChromium } from '../chromium.mjs'
import { ensureDependencies } from '../dependencies.mjs'
import { ErrorForPeople, runStep, runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'
import { ensureSandboxPrograms } from '../sandbox-programs.mjs'
import { countTests, failedFiles, mergeSecondTry, summaryLine } from '../test-summary.mjs'
import { ensureWebApp } from '../web-app.mjs'

/** With more failed files than these something is broken, and trying again would only take time. */
const secondTryFiles = 8

/**
 * `npm test`: every test there is, and one line with the sum at the very end. Files with failed tests are run once more,
 * with servers and data of their own. Words after `--` go to Vitest, for example a path to run only some of the
 * tests, then only once.
 */
export default async function test(words) {
  const node = await ensureNode()
  await ensureDependencies(node)
  await ensureWebApp(node)
  const chromium = await ensureChromium(process.env, install('Chromium'))
  const noSandbox = await ensureSandboxPrograms(install('bubblewrap and Python'))
  if (noSandbox) console.error(noSandbox)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-report-'))
  const run = (given) => runVitest(node, given, { ...process.env, HEADWATER_CHROMIUM: chromium }, folder)
  try {
    let { exitCode, results } = await run(words)
    const failed = failedFiles(results)
    if (words.length === 0 && failed.length > 0 && failed.length <= secondTryFiles) {
      console.log(`Trying again: ${failed.map((file) => relative(root, file)).join(', ')}`)
      const second = await run(failed.map((file) => relative(root, file)))
      const merged = mergeSecondTry(results, second.results)
      for (const name of merged.passedOnSecondTry)
        console.log(`Passed only on the second try, to be mended: ${name}`)
      exitCode = second.exitCode
      results = merged.results
    }
    const counts = countTests(results)
    const good = exitCode === 0 && counts.failed === 0 && counts.passed > 0
    if (counts.passed + counts.failed === 0) console.error('No test ran.')
    console.log(summaryLine(counts))
    return good ? 0 : exitCode || 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runVitest(node, words, env, folder) {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const exitCode = await runToExit(
    [
      node,
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...words,
    ],
    { cwd: root, env },
  )
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
    throw new ErrorForPeople('The tests ended without a report; what went wrong stands above.')
  }
}
