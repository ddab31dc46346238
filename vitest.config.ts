import { defineConfig } from 'vitest/config'
import { aloneFiles, browserFiles, campaignFiles, pureFiles, serverFiles } from './tests/setup/stages.ts'
import { TestOrder } from './tests/setup/test-order.ts'
import { StageReporter } from './tests/setup/stage-reporter.ts'

process.env.TZ = 'UTC'

/** Path of the JSON report, which `npm test` reads to count tests. */
const report = process.env.HEADWATER_TEST_REPORT
const isLong = process.env.HEADWATER_CAMPAIGN === 'long'

const campaigns = {
  extends: true as const,
  test: {
    name: 'long',
    include: campaignFiles,
    isolate: true,
    maxWorkers: 1,
    globalSetup: ['tests/setup/postgres.ts', 'tests/setup/chromium.ts'],
  },
}

const stages = [
  { extends: true, test: { name: 'pure', include: pureFiles, setupFiles: ['tests/setup/toasts.ts'] } },
  {
    extends: true,
    test: {
      name: 'server',
      include: serverFiles,
      exclude: [...pureFiles, ...aloneFiles, '**/node_modules/**'],
      globalSetup: ['tests/setup/postgres.ts'],
    },
  },
  {
    extends: true,
    test: {
      name: 'browser',
      include: browserFiles,
      testTimeout: 90_000 * Number(process.env.HEADWATER_TEST_SLOWDOWN ?? 1),
      globalSetup: ['tests/setup/postgres.ts', 'tests/setup/chromium.ts'],
    },
  },
  {
    extends: true,
    test: {
      name: 'alone',
      include: aloneFiles,
      isolate: true,
      globalSetup: ['tests/setup/postgres.ts'],
      sequence: { groupOrder: 1 },
    },
  },
]

/**
 * Three workers share the files of a group; on two processors, the third one makes a run about 12 % faster. Files that kill
 * or starve processes follow, each in a process of its own. The other files of a worker share its process, so that modules are
 * loaded once; tests must leave no state in them.
 */
export default defineConfig({
  test: {
    // The slowest tests take half a minute on a machine that does other work.
    testTimeout: isLong ? 5_400_000 : 120_000,
    hookTimeout: 180_000,
    // On a small machine that does other work, a page or an engine may take a while to respond.
    expect: { poll: { timeout: 60_000 } },
    // The engines inside the server are native and do not run in worker threads.
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    sequence: { groupOrder: 0, sequencer: TestOrder },
    reporters: ['default', new StageReporter(), ...(report === undefined ? [] : [jsonTo(report)])],
    provide: { campaign: isLong ? 'long' : 'smoke' },
    projects: isLong ? [campaigns] : stages,
  },
})

function jsonTo(outputFile: string): ['json', { outputFile: string }] {
  return ['json', { outputFile }]
}
