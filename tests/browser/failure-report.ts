import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunnerTestCase } from 'vitest'
import type { OpenPage } from './open-browser.ts'

const resultsFolder = fileURLToPath(new URL('../../test-results', import.meta.url))

/** Writes the diagnostics of a failed test to `test-results/<file>/<title>/`: a screenshot and the console of each page, and the server log. */
export async function saveFailure(
  task: Readonly<RunnerTestCase>,
  pages: readonly OpenPage[],
  serverLog: readonly string[],
): Promise<void> {
  const folder = join(resultsFolder, basename(task.file.name), fileNameOf(task.name))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'server.log'), serverLog.join(''))
  for (const [index, { page, console }] of pages.entries()) {
    await writeFile(join(folder, `console-${index + 1}.log`), `${page.url()}\n${console.join('\n')}\n`)
    // A crashed or closed page has no screenshot, but its logs are saved.
    await page
      .screenshot({ path: join(folder, `page-${index + 1}.png`), timeout: 5000 })
      .catch(() => undefined)
  }
}

function fileNameOf(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)
}
