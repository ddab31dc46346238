import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { ensureChromium } from '../chromium.mjs'
import { ensureDependencies } from '../dependencies.mjs'
import { ErrorForPeople, runStep, runToExit } from '../run-step.mjs'
import { ensureNode, root } from '../runtime.mjs'
import { countTests, passedOnSecondTry, summaryLine } from '../test-summary.mjs'
import { ensureWebApp } from '../web-app.mjs'

/**
 * `npm test`: every test there is, and one line with the sum at the very end. Words after `--` go to Vitest, for
 * example a path to run only some of them.
 */
export default async function test(words) {
  const node = await ensureNode()
  await ensureDependencies(node)
  await ensureWebApp(node)
  const chromium = await chromiumOrExplanation()
  const folder = mkdtempSync(join(tmpdir(), 'headwater-report-'))
  const report = join(folder, 'report.json')
  try {
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
      { cwd: root, env: { ...process.env, HEADWATER_CHROMIUM: chromium } },
    )
    const results = readReport(report)
    const counts = countTests(results)
    for (const name of passedOnSecondTry(results))
      console.log(`Passed only on the second try, to be mended: ${name}`)
    const good = exitCode === 0 && counts.failed === 0 && counts.passed > 0
    if (counts.passed + counts.failed === 0) console.error('No test ran.')
    console.log(summaryLine(counts))
    return good ? 0 : exitCode || 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function chromiumOrExplanation() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return ensureChromium(process.env, (command) =>
    runStep(`Installing Chromium (${command.join(' ')})`, command, { env }),
  )
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new ErrorForPeople('The tests ended without a report; what went wrong stands above.')
  }
}
