import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StepPackages } from '@headwater/runs/contract'
import { findSandbox, type Sandbox } from '@headwater/sandbox'
import type { PackageSource } from '@headwater/server-kit'
import { packageName, type Requirement } from '../../contract/index.ts'
import { createPackages, type Packages } from './index.ts'
import { readSystemPackages } from './interpreter.ts'
import { startIndex, wheelOf, type TestIndex, type TestWheel } from './testing/wheels.ts'

const availability = await findSandbox()
if (!availability.available) throw new Error(availability.reason)
const { sandbox } = availability

const wheels: TestWheel[] = [
  { name: 'alpha', version: '1.0', requires: ['beta>=1', 'old; python_version < "3"'] },
  { name: 'alpha', version: '1.1', requires: ['beta>=1,<2', 'gamma[fast]'] },
  { name: 'alpha', version: '2.0rc1' },
  { name: 'beta', version: '1.4' },
  { name: 'beta', version: '2.0' },
  { name: 'gamma', version: '0.1', requires: ['delta-x; extra == "fast"'] },
  { name: 'delta-x', version: '3', modules: { 'delta_x.py': 'print("imported")\nvalue = 3\n' } },
  { name: 'numpy', version: '9.9', modules: { 'numpy.py': 'name = "numpy of a test"\n' } },
  { name: 'future', version: '1.0', python: '>=3.99' },
  { name: 'binary', version: '1.0', tag: 'cp39-cp39-win_amd64' },
  { name: 'clash', version: '1.0', requires: ['beta>=2'] },
]

let folder: string
let index: TestIndex
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-test-'))
  await chmod(folder, 0o755)
  index = await startIndex(wheels)
})
afterAll(async () => {
  await index.close()
  await rm(folder, { recursive: true, force: true })
})

async function packagesOf(
  source: PackageSource | undefined,
  { basePackages = false, cacheBytes = 1e9 } = {},
): Promise<Packages & { folder: string }> {
  const own = await mkdtemp(join(folder, 'cache-'))
  await chmod(own, 0o711)
  const settings = { source, basePackages, cacheBytes }
  const packages = createPackages({ settings, folder: own, findSandbox: async () => availability })
  return { ...packages, folder: own }
}
const indexSource = (url = index.url): PackageSource => ({ kind: 'index', url, fileOrigins: [] })
const need = (...names: string[]): Requirement[] =>
  names.map((each) => {
    const [name, version = ''] = each.split('==')
    return { name: name!, version }
  })

/** Runs a script with its packages and returns its output. */
async function run(packages: Packages, script: string, its: Partial<StepPackages> = {}): Promise<string> {
  const provided = await packages.provide(sandbox, script, { requirements: [], locked: [], ...its })
  try {
    return await printed(sandbox, script, provided)
  } finally {
    provided.release()
  }
}

async function printed(own: Sandbox, script: string, more: object): Promise<string> {
  let text = ''
  const outcome = await own.runPython({
    ...more,
    script,
    env: {},
    limits: {
      wallMs: 60_000,
      cpuSeconds: 60,
      memoryBytes: 300e6,
      processes: 8,
      outputBytes: 1e6,
      diskBytes: 1e6,
    },
    onOutput(piece) {
      text += piece
    },
    signal: new AbortController().signal,
  })
  return outcome.exception === undefined
    ? text.trim()
    : `${outcome.exception.name}: ${outcome.exception.message}`
}

test.each(['html', 'json'] as const)(
  'locks the newest compatible versions with their hashes (index as %s)',
  async (format) => {
    const other = await startIndex(wheels, format)
    try {
      const packages = await packagesOf(indexSource(other.url))
      const { locked, warnings } = await packages.lock('', need('Alpha'))
      expect(warnings).toEqual([])
      expect(locked.map(({ name, version }) => `${name} ${version}`)).toEqual([
        'alpha 1.1',
        'beta 1.4',
        'delta-x 3',
        'gamma 0.1',
      ])
      for (const { sha256 } of locked) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
      const exact = await packages.lock('', need('alpha==1.0'))
      expect(exact.locked.map(({ name, version }) => `${name} ${version}`)).toEqual(['alpha 1.0', 'beta 2.0'])
    } finally {
      await other.close()
    }
  },
)

test('a script imports its packages, compiled, read-only, after the standard library', async () => {
  const packages = await packagesOf(indexSource())
  const requirements = need('alpha')
  const { locked } = await packages.lock('', requirements)
  const script = `
import alpha, os, subprocess, sys
print(alpha.version, alpha.__file__, alpha.__cached__ and os.path.exists(alpha.__cached__))
for path in ["/run/packages/alpha/__init__.py", "/run/packages/new.py"]:
    try: open(path, "w"); print("written")
    except OSError: pass
print(*sys.path[-2:], subprocess.run([sys.executable, "-c", "import beta; print(beta.version)"], capture_output=True, text=True).stdout)`
  const output = await run(packages, script, { requirements, locked })
  expect(output).toBe('1.1 /run/packages/alpha/__init__.py True\n/run/packages /run/modules 1.4')
})

test('building an environment executes no code of packages', async () => {
  const packages = await packagesOf(indexSource())
  const requirements = need('delta-x')
  const { locked } = await packages.lock('', requirements)
  expect(await run(packages, 'print("script")', { requirements, locked })).toBe('script')
  expect(await run(packages, 'import delta_x', { requirements, locked })).toBe('imported')
})

test('uses a cached environment without accessing the index, and installs locked versions even if newer ones exist', async () => {
  const own = await startIndex(wheels.filter(({ version }) => version !== '1.1'))
  const packages = await packagesOf(indexSource(own.url))
  const requirements = need('alpha')
  const { locked } = await packages.lock('', requirements)
  expect(await run(packages, 'import alpha\nprint(alpha.version)', { requirements, locked })).toBe('1.0')
  await own.close()
  expect(await run(packages, 'import alpha\nprint(alpha.version)', { requirements, locked })).toBe('1.0')
})

test('a folder of wheels can be the source', async () => {
  const path = join(folder, 'wheels')
  await mkdir(path)
  for (const wheel of wheels) {
    const { fileName, content } = wheelOf(wheel)
    await writeFile(join(path, fileName), content)
  }
  await writeFile(join(path, 'notes.txt'), 'no wheel')
  const packages = await packagesOf({ kind: 'folder', path })
  const requirements = need('alpha')
  const { locked } = await packages.lock('', requirements)
  expect(await run(packages, 'import alpha\nprint(alpha.version)', { requirements, locked })).toBe('1.1')
})

test('system packages can be the source; if none are installed, every package is missing', async () => {
  const packages = await packagesOf({ kind: 'system' }, { basePackages: true })
  const missing = await packages.lock('import northgravity', need('no-such-package'))
  expect(missing.warnings).toEqual([
    'The package no-such-package is not available. Ask an administrator to enable it.',
  ])
  for (const [name, version] of (await readSystemPackages(sandbox)).slice(0, 1)) {
    const requirements = [{ name, version }]
    const { locked, warnings } = await packages.lock('', requirements)
    expect([locked, warnings]).toEqual([[{ name: packageName(name), version, sha256: '' }], []])
    const script = `import importlib.metadata\nprint(importlib.metadata.version(${JSON.stringify(name)}))`
    expect(await run(packages, script, { requirements, locked })).toBe(version)
    expect((await packages.lock('', [{ name, version: '0.0.0.1' }])).warnings).toHaveLength(1)
  }
})

test('without a source, only the standard library can be imported, even by child processes', async () => {
  const packages = await packagesOf(undefined)
  const { warnings } = await packages.lock('import os, pandas as pd\nfrom requests import get', [])
  expect(warnings).toEqual([
    'The package pandas is not available. Ask an administrator to enable it.',
    'The package requests is not available. Ask an administrator to enable it.',
  ])
  const script = `
import importlib.util, json, subprocess, sys
names = ["requests", "numpy", "pandas", "pip", "setuptools", "yaml"]
check = "import importlib.util; print([n for n in %r if importlib.util.find_spec(n)])" % names
exec(check)
print(subprocess.run([sys.executable, "-c", check], capture_output=True, text=True).stdout)`
  expect(await run(packages, script)).toBe('[]\n[]')
  const refused = run(packages, '', { requirements: need('alpha') })
  await expect(refused).rejects.toThrow(
    'The package alpha is not available. Ask an administrator to enable it.',
  )
})

test('a script can import the base set without declaring it only if the setting is on', async () => {
  const script = 'import numpy\nprint(numpy.name)'
  const off = await packagesOf(indexSource())
  expect(await off.lock(script, [])).toEqual({
    locked: [],
    warnings: ['The package numpy is not available. Ask an administrator to enable it.'],
  })
  expect(await run(off, script)).toBe("ModuleNotFoundError: No module named 'numpy'")
  const on = await packagesOf(indexSource(), { basePackages: true })
  const { locked, warnings } = await on.lock(script, [])
  expect([locked.map(({ name }) => name), warnings]).toEqual([['numpy'], []])
  expect(await run(on, script, { locked })).toBe('numpy of a test')
  // A version that was saved before the setting was on.
  expect(await run(on, script)).toBe('numpy of a test')
  const optional = 'try: import pandas\nexcept ImportError: print("without pandas")'
  expect((await on.lock(optional, [])).warnings[0]).toContain('The package pandas is not available.')
  expect(await run(on, optional)).toBe('without pandas')
})

test.each<[string, Requirement[], string]>([
  [
    'an unknown package',
    need('nothing'),
    'The package nothing is not available. Ask an administrator to enable it.',
  ],
  [
    'an unknown version',
    need('beta==7'),
    'The package beta 7 is not available. Ask an administrator to enable it.',
  ],
  ['a package for newer Pythons', need('future'), 'The package future is not available.'],
  ['a package for other machines', need('binary'), 'The package binary is not available.'],
  [
    'contradicting packages',
    need('alpha==1.1', 'clash'),
    'No version of beta satisfies all conditions: alpha needs beta >=1,<2; clash needs beta >=2.',
  ],
])('a save warns about %s', async (_what, requirements, message) => {
  const packages = await packagesOf(indexSource())
  const { locked, warnings } = await packages.lock('', requirements)
  expect(locked).toEqual([])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(message)
  await expect(run(packages, '', { requirements })).rejects.toThrow(message)
})

test('connects only to the index: links and redirects to other origins are rejected', async () => {
  const other = await startIndex(wheels)
  const { fileName } = wheelOf(wheels[3]!)
  index.setPage(
    'evil',
    `<a href="${other.url.replace('simple', 'files')}evil-1.0-py3-none-any.whl">evil-1.0-py3-none-any.whl</a>`,
  )
  const packages = await packagesOf(indexSource())
  expect((await packages.lock('', need('evil'))).warnings[0]).toContain(
    'which is not part of HEADWATER_PACKAGES',
  )
  expect(other.requests).toEqual([])
  index.setPage('eviltwo', `<a href="file:///etc/passwd">eviltwo-1.0-py3-none-any.whl</a><a>${fileName}</a>`)
  expect((await packages.lock('', need('eviltwo'))).warnings[0]).toContain('which is not part of')
  const allowed = await packagesOf({
    ...indexSource(),
    fileOrigins: [new URL(other.url).origin],
  } as PackageSource)
  expect((await allowed.lock('', need('evil'))).warnings).toHaveLength(1)
  expect(other.requests.map(({ path }) => path)).toEqual(['/files/evil-1.0-py3-none-any.whl'])
  await other.close()
})

test('sends the configured user and password to the index', async () => {
  const own = await startIndex(wheels)
  const url = own.url.replace('://', '://reader:p%40ss@')
  const packages = await packagesOf(indexSource(url))
  expect((await packages.lock('', need('beta'))).warnings).toEqual([])
  const expected = `Basic ${Buffer.from('reader:p@ss').toString('base64')}`
  expect(own.requests.map(({ authorization }) => authorization)).toEqual([expected, expected])
  await own.close()
})

test('rejects a wheel that does not match the hash in the index or the locked hash', async () => {
  const own = await startIndex(wheels)
  const { fileName } = wheelOf(wheels[4]!)
  own.setFile(fileName, wheelOf({ ...wheels[4]!, modules: { 'beta/__init__.py': 'import os' } }).content)
  const packages = await packagesOf(indexSource(own.url))
  expect((await packages.lock('', need('beta'))).warnings).toEqual([
    `${fileName} does not have the hash that the package index states.`,
  ])
  const locked = [{ name: 'beta', version: '1.4', sha256: 'f'.repeat(64) }]
  await expect(run(packages, '', { requirements: need('beta'), locked })).rejects.toThrow(
    'The package beta 1.4 is not available.',
  )
  await own.close()
})

test('a failed build leaves nothing behind; unused environments are evicted by size', async () => {
  const path = await mkdtemp(join(folder, 'wheels-'))
  const save = async (wheel: TestWheel) => {
    const { fileName, content } = wheelOf(wheel)
    await writeFile(join(path, fileName), content)
  }
  await save({ name: 'broken', version: '1', extra: [{ path: 'broken/more.py', content: 'x' }] })
  for (const name of ['one', 'two', 'three'])
    await save({ name, version: '1', modules: { [`${name}.py`]: `text = "${'x'.repeat(400_000)}"` } })
  const packages = await packagesOf({ kind: 'folder', path }, { cacheBytes: 2_000_000 })
  const environments = async () =>
    (await readdir(packages.folder)).filter((name) => /^[0-9a-f]{64}/.test(name) && !name.endsWith('.size'))
  await expect(run(packages, '', { requirements: need('broken') })).rejects.toThrow('does not match its hash')
  expect(await environments()).toEqual([])
  const provided = await packages.provide(sandbox, '', { requirements: need('one'), locked: [] })
  await run(packages, '', { requirements: need('two') })
  await run(packages, '', { requirements: need('three') })
  expect(await environments()).toHaveLength(2)
  // The environment that is in use is not evicted.
  expect(await printed(sandbox, 'import one\nprint(len(one.text))', provided)).toBe('400000')
  provided.release()
})
