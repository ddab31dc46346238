import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chooseTests } from '../changed-tests.mjs'
import { ErrorForPeople } from '../run-step.mjs'
import { root } from '../runtime.mjs'
import test from './test.mjs'

/**
 * `npm run test:changed`: runs the tests of all changes since the merge base with `main`, committed or not.
 * `-- --base REV` compares with another commit.
 */
export default async function testChanged(args) {
  const at = args.indexOf('--base')
  const base = at === -1 ? mergeBase() : args[at + 1]
  const rest = at === -1 ? args : args.toSpliced(at, 2)
  if (!base)
    throw new ErrorForPeople('--base needs a commit, for example `npm run test:changed -- --base HEAD~1`.')
  const changed = [
    ...git('diff', '--name-only', '--diff-filter=d', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const { all, related, browser } = chooseTests(changed, git('ls-files', 'tests/browser', 'tests/gallery'))
  if (all) {
    console.log(`${all} changed, so every test runs.`)
    return test(rest)
  }
  const files = [...related, ...browser].filter((path) => existsSync(join(root, path)))
  if (files.length === 0) {
    console.log('No file with tests changed.')
    return 0
  }
  console.log(`Tests related to ${related.length} changed files, and ${browser.length} browser files.`)
  return test([...files, ...rest], { command: ['related', '--run'] })
}

function mergeBase() {
  for (const main of ['origin/main', 'main']) {
    const [commit] = git('merge-base', main, 'HEAD')
    if (commit && commit !== git('rev-parse', 'HEAD')[0]) return commit
  }
  return 'HEAD'
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter(Boolean) : []
}
