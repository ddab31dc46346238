import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isShipped = (path: string) =>
  /^(apps|features|kit|packages\/[^/]+\/src)\//.test(path) &&
  /\.(ts|tsx|mjs)$/.test(path) &&
  !/\.test\.|testing/.test(path)

/** The source of the product, without comments and imports of types. */
const sources = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(isShipped)
  .map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .replace(/^import type .*$/gm, ''),
  }))

const onServer = /^(apps\/server|features\/[^/]+\/server|kit\/server|packages\/(?!charts|canvas))/

// A new file in a list needs a reason why the call is safe there.
test.each<[danger: string, pattern: RegExp, within: RegExp, files: string[]]>([
  ['runs text as code', /\beval\(|\bnew Function\b|'node:vm'|'vm'/, /./, []],
  [
    'starts programs',
    /'(?:node:)?child_process'/,
    /./,
    [
      'kit/server/src/postgres/create-cluster.ts',
      'kit/server/src/postgres/postmaster.ts',
      'kit/server/src/postgres/run-as.ts',
      'packages/sandbox/src/sandbox-process.ts',
      'packages/sandbox/src/sandbox.ts',
      'packages/tables/src/isolated/run-isolated.ts',
      'packages/timeseries/src/engine-fork.ts',
    ],
  ],
  [
    'opens connections from the server',
    /(?<![.\w])fetch\(|import \{[^}]*\b(?:connect|createConnection|get|lookup|request|resolve)\b[^}]*\} from 'node:(?:dns|dns\/promises|https?|http2|net|tls)'|\bhttps?\.(?:request|get)\(|\bcreateConnection\(|\bcreateTransport\(|\bcreateClient\(|\bnew S3Client\(/,
    onServer,
    [
      // The address of this server, S3, the mail server and ClickHouse of the configuration, and sockets of this
      // machine.
      'features/demo/server/demo-loader.ts',
      // TLS over a connection that the client below has opened.
      'features/tasks/server/library/remote-files/ftp-connection.ts',
      'kit/server/src/content-store/s3-content-store.ts',
      // The client for all addresses that users choose.
      'kit/server/src/egress/connect-pinned.ts',
      'kit/server/src/egress/egress.ts',
      'kit/server/src/egress/send-request.ts',
      'kit/server/src/mail.ts',
      'kit/server/src/postgres/postmaster-pid.ts',
      'packages/sandbox/src/run-folder.ts',
      'packages/timeseries/src/engine-socket.ts',
      'packages/timeseries/src/server-connection.ts',
    ],
  ],
  [
    'puts text into SQL without a parameter',
    /\bsql\.(?:raw|lit)\(|\bCompiledQuery\.raw\(/,
    /./,
    [
      // A constant, numbers of the server itself, and statements that another feature compiled.
      'features/monitor/server/monitor-store.ts',
      'features/symbols/server/filter-sql.ts',
      'features/symbols/server/run-lookup.ts',
      'kit/server/src/database/executor.ts',
    ],
  ],
  [
    'puts text into a query without a parameter',
    /\bquery(?:<[^()]*>)?\(\s*`[^`]*\$\{/,
    /./,
    [
      // Constant numbers, names of columns and conditions.
      'features/approvals/server/approvals-store.ts',
      'features/events/server/events-store.ts',
      'features/monitor/server/backfills/backfills-store.ts',
      'features/pipelines/server/triggers/firings-store.ts',
      'features/runs/server/children-store.ts',
      // The role and the database of the server, and a password that it generates itself.
      'kit/server/src/postgres/server-role.ts',
      // Constants: names of channels and kinds of job changes.
      'packages/jobs/src/listener.ts',
      'packages/jobs/src/transitions.ts',
      // Constant settings, names of functions and paths, in a sandbox.
      'packages/sql/src/cut-result.ts',
      'packages/sql/src/select-process.ts',
      // Settings of the engine, which are numbers and paths of the configuration.
      'packages/timeseries/src/engine-process.ts',
    ],
  ],
  [
    'stores content',
    /\b(?:contents|assemblies)\s*\.write\(/,
    /./,
    // The functions that check the limits of stored files.
    [
      'features/files/server/assembled-parts.ts',
      'features/files/server/upload-content.ts',
      'features/files/server/upload-parts.ts',
    ],
  ],
  [
    'draws text as HTML',
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(/,
    /./,
    [
      // Sanitised Markdown, and the page without an origin that shows user code.
      'features/editors/web/markdown/MarkdownText.tsx',
      'features/reports/web/exports/PrintDocument.tsx',
      'kit/server/src/http/sandbox-page.ts',
    ],
  ],
])('only known files contain code that %s', (_danger, pattern, within, files) => {
  const matches = sources.filter(({ path, text }) => within.test(path) && pattern.test(text))
  expect(matches.map(({ path }) => path).toSorted()).toEqual(files)
})

test('every package comes from the npm registry, with a checksum', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>
  }
  const fetched = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  )
  expect(fetched.length).toBeGreaterThan(100)
  for (const [path, { resolved, integrity }] of fetched) {
    // A package of the registry needs no address.
    if (resolved !== undefined) expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//)
    expect(integrity, path).toMatch(/^sha512-/)
  }
})
