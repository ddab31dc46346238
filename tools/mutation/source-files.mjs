// Chooses the source files to mutate and finds the test files that load them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

const declarations = /(^|\/)(index|errors|routes|[\w-]+-routes)\.ts$/
const browserFiles = /^packages\/charts\/src\/(chart|cursor-view|style-sheet|theme|tooltip)\.ts$/

/**
 * Returns the files that differ from a revision and hold logic, with uncommitted and new files.
 * @param {string} root folder of the project
 * @param {string} [base] revision; `origin/main` or else the commit before the last one
 */
export function changedFiles(root, base = defaultBase(root)) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  const [fork] = git('merge-base', base, 'HEAD')
  const names = [
    ...git('diff', '--name-only', '--diff-filter=d', '--relative', fork),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(names)].filter(isLogic).toSorted()
}

/** Returns the named files and all files with logic in the named folders, relative to the project. */
export function namedFiles(root, names) {
  return names.flatMap((name) => {
    const path = toPath(root, resolve(root, name))
    if (!existsSync(join(root, path)))
      throw new Error(`There is no ${name}. Name files or folders of the project.`)
    if (!statSync(join(root, path)).isDirectory()) return [path]
    return filesUnder(join(root, path))
      .map((file) => toPath(root, file))
      .filter(isLogic)
  })
}

/** Returns whether only the browser suite can run a file, because it needs a document; its mutants would all count as not covered. */
export function isBrowserFile(path) {
  return browserFiles.test(path)
}

/** The package or feature of a file, such as `packages/ncsv`. */
export function groupOf(path) {
  return path.split('/').slice(0, 2).join('/')
}

/**
 * Returns the test files of a package or feature with every file that each of them loads, directly or not.
 * A quoted path counts as loaded, as some files start as processes of their own.
 * @param {string} root
 * @param {string} group such as `packages/ncsv`
 * @returns {Map<string, Set<string>>} absolute paths
 */
export function findTests(root, group) {
  const workspaces = readWorkspaces(root)
  const loadedBy = new Map()
  const tests = filesUnder(join(root, group)).filter((file) => /\.test\.tsx?$/.test(file))
  return new Map(tests.map((test) => [test, everythingLoadedBy(test)]))

  function everythingLoadedBy(test) {
    const loaded = new Set([test])
    for (const file of loaded) {
      if (!loadedBy.has(file)) loadedBy.set(file, quotedFiles(file, workspaces))
      for (const next of loadedBy.get(file)) loaded.add(next)
    }
    return loaded
  }
}

function isLogic(path) {
  if (!/\.tsx?$/.test(path) || /\.(test|spec|d)\.tsx?$/.test(path)) return false
  if (/^packages\/[^/]+\/src\//.test(path)) return true
  return /^features\/[^/]+\/(contract|core)\//.test(path) && !declarations.test(path)
}

function defaultBase(root) {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', 'origin/main'], { cwd: root, stdio: 'ignore' })
    return 'origin/main'
  } catch {
    return 'HEAD~1'
  }
}

function quotedFiles(file, workspaces) {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/(['"`])((?:\.{1,2}\/|@)[^'"`\s]+)\1/g)].flatMap(([, , name]) => {
    const path = name.startsWith('.') ? resolve(dirname(file), name) : resolveWorkspace(name, workspaces)
    const isSource = path !== undefined && /\.(tsx?|mjs)$/.test(path) && existsSync(path)
    return isSource ? [path] : []
  })
}

function resolveWorkspace(name, workspaces) {
  const workspaceName = name.split('/').slice(0, 2).join('/')
  const workspace = workspaces.get(workspaceName)
  if (workspace === undefined) return undefined
  const wanted = `.${name.slice(workspaceName.length)}`
  for (const [pattern, target] of Object.entries(workspace.exports)) {
    const [before, after] = pattern.split('*')
    if (pattern === wanted) return join(workspace.folder, target)
    if (after !== undefined && wanted.startsWith(before))
      return join(workspace.folder, target.replace('*', wanted.slice(before.length)))
  }
  return undefined
}

function readWorkspaces(root) {
  const workspaces = new Map()
  for (const layer of ['packages', 'kit', 'features', 'apps']) {
    if (!existsSync(join(root, layer))) continue
    for (const name of readdirSync(join(root, layer))) {
      const manifest = join(root, layer, name, 'package.json')
      if (!existsSync(manifest)) continue
      const { name: workspaceName, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
      workspaces.set(workspaceName, { folder: join(root, layer, name), exports })
    }
  }
  return workspaces
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesUnder(path)
    return [path]
  })
}

function toPath(root, file) {
  return relative(root, file).split(sep).join('/')
}
