import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { longFiles, reportStages, type FileTime } from './stage-times.ts'

/** Prints the time of each stage and the ten slowest files; a file over the limit fails the run. */
export class StageReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const root = this.#vitest?.config.root ?? process.cwd()
    const files = modules.map((module): FileTime => {
      const { duration, collectDuration, setupDuration } = module.diagnostic()
      return {
        stage: module.project.name,
        path: relative(root, module.moduleId),
        durationMs: duration + collectDuration + setupDuration,
      }
    })
    if (files.length === 0) return
    const { lines, tooSlow } = reportStages(files, longFiles)
    for (const line of lines) this.#vitest?.logger.log(line)
    // Long campaigns have no limit.
    if (process.env.HEADWATER_CAMPAIGN === 'long') return
    for (const { path, durationMs, limitMs } of tooSlow) {
      this.#vitest?.logger.error(
        `${path} took ${seconds(durationMs)}; a test file may take ${seconds(limitMs)}. Make it faster or split it; ` +
          'an exception needs a reason in tests/setup/stage-times.ts.',
      )
    }
    if (tooSlow.length > 0) process.exitCode = 1
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
