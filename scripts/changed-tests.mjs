/** Browser tests of each feature. They run on the built application, so imports do not reveal them. */
export const browserTestsByFeature = {
  accounts: ['shell', 'my-account', 'operations', 'recents'],
  statuses: ['statuses', 'science'],
  groups: ['lake', 'large-lists', 'group-sharing', 'insight-sharing', 'insight-saves'],
  files: [
    'lake',
    'large-lists',
    'tools',
    'ncsv-creator',
    'csv-editors',
    'csv-import',
    'insight-uploads',
    'table-preview',
  ],
  items: ['preps', 'science'],
  schedules: ['preps', 'science'],
  editors: [
    'tools',
    'science',
    'sql-task',
    'test-run',
    'ncsv-creator',
    'csv-editors',
    'csv-import',
    'table-preview',
  ],
  symbols: ['storage', 'new-symbol', 'insight-data', 'insight-params'],
  preps: ['preps', 'insight-data', 'insight-params'],
  tasks: ['science', 'tasks', 'sql-task', 'test-run', 'operations'],
  approvals: ['approvals', 'operations'],
  pipelines: [
    'science',
    'triggers',
    'pipeline-creator',
    'creator-retries',
    'task-fields',
    'test-run',
    'pipelines-list',
    'monitor',
    'approvals',
    'operations',
    'insight-templates',
  ],
  monitor: ['monitor', 'operations', 'science'],
  'tile-data': ['insight', 'data-table', 'refresh-times'],
  tiles: ['insight', 'data-table', 'refresh-times'],
  insights: ['insight', 'recents', 'refresh-times'],
  publishing: ['insight-sharing', 'insight-data', 'insight-builder', 'shell', 'demo'],
  reports: ['insights', 'insight-templates', 'insight-tiles', 'shell'],
  usage: ['lake', 'science'],
  demo: ['demo', 'insight-leaks'],
  events: ['statuses'],
  logs: ['science'],
  runs: ['science', 'monitor'],
  secrets: ['operations'],
  workers: ['operations'],
  audit: ['operations'],
  trash: ['trash', 'large-lists'],
}

/** Any test can depend on these. */
const everything = /^(package(-lock)?\.json|vitest\.config\.ts|tests\/setup\/|apps\/server\/src\/testing)/
/** The whole application, which every browser test covers. */
const application = /^(kit|packages|apps)\//
const browserTools = /^tests\/(browser|gallery)\/(?!.*\.test\.ts$)/
const source = /\.(ts|tsx|mts|mjs|css|sql|html)$/

/**
 * Chooses the tests for a change.
 * @param {string[]} changed paths relative to the root of the repository
 * @param {string[]} browserFiles all files below `tests/browser` and `tests/gallery`
 * @returns {{ all?: string, related: string[], browser: string[] }} `all` names a file that affects every test; `related` are
 *   sources whose tests Vitest finds by their imports; `browser` are browser tests
 */
export function chooseTests(changed, browserFiles) {
  const all = changed.find((path) => everything.test(path))
  const related = changed.filter((path) => source.test(path))
  const tests = browserFiles.filter((path) => path.endsWith('.test.ts'))
  const chosen = new Set()
  for (const path of related) {
    const feature = /^features\/([^/]+)\//.exec(path)?.[1]
    const isUnitTest = /\.test\.(ts|tsx|mjs)$/.test(path)
    if (isUnitTest) continue
    if (application.test(path) || browserTools.test(path)) for (const file of tests) chosen.add(file)
    else if (feature !== undefined)
      for (const prefix of browserTestsByFeature[feature] ?? [])
        for (const file of tests) if (file.startsWith(`tests/browser/${prefix}`)) chosen.add(file)
  }
  return { ...(all === undefined ? {} : { all }), related, browser: [...chosen] }
}
