import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureChromium, findChromium, findHeadlessShell, preferHeadlessShell } from './chromium.mjs'
import { requireSpace } from './commands/test.mjs'
import { dependenciesMatch } from './dependencies.mjs'
import { runStep } from './run-step.mjs'
import { explainNpmFailure, npmEnvironment } from './runtime.mjs'
import { ensureSandboxPrograms } from './sandbox-programs.mjs'
import { planInstall } from './system-programs.mjs'
import { hashOfSources } from './web-app.mjs'

let folder

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-scripts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

describe('dependencies', () => {
  const here = { os: [process.platform], cpu: [process.arch], optional: true }
  const elsewhere = { os: ['plan9'], cpu: ['sparc'], optional: true }
  const wanted = {
    '': { name: 'headwater' },
    'kit/server': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a-native': { version: '2.0.0', ...here },
    'node_modules/a-foreign': { version: '2.0.0', ...elsewhere },
    'node_modules/@headwater/kit': { link: true, resolved: 'kit/server' },
  }
  const installed = {
    'kit/server': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a-native': { version: '2.0.0', ...here },
    'node_modules/@headwater/kit': { link: true, resolved: 'kit/server' },
  }
  const matches = (packages) => {
    write('package-lock.json', { packages: wanted })
    write('node_modules/.package-lock.json', { packages })
    return dependenciesMatch(folder)
  }

  test('an install is complete without packages for other systems', () => {
    expect(matches(installed)).toBe(true)
  })

  test.each([
    ['a package is missing', { 'node_modules/a': undefined }],
    ['a package has another version', { 'node_modules/a': { version: '1.0.1' } }],
    ['the binary of this system is missing', { 'node_modules/a-native': undefined }],
    ['a workspace is not linked', { 'node_modules/@headwater/kit': undefined }],
  ])('an install is incomplete when %s', (_what, change) => {
    expect(matches(JSON.parse(JSON.stringify({ ...installed, ...change })))).toBe(false)
  })

  test('an install is incomplete before the first one', () => {
    write('package-lock.json', { packages: wanted })
    expect(dependenciesMatch(folder)).toBe(false)
  })
})

describe('npm', () => {
  test('removes the variables of an outer npm start and passes on those of the user', () => {
    const env = npmEnvironment({
      HOME: folder,
      npm_lifecycle_event: 'start',
      npm_package_name: 'headwater',
      npm_config_local_prefix: '.',
      npm_config_registry: 'http://localhost:4873',
    })
    expect(env).toMatchObject({ HOME: folder, npm_config_registry: 'http://localhost:4873' })
    expect(Object.keys(env).filter((name) => /lifecycle|package|prefix/.test(name))).toEqual([])
  })

  test('uses its own cache if it is writable, otherwise another one', () => {
    expect(npmEnvironment({ HOME: folder }, 'other').npm_config_cache).toBeUndefined()
    expect(npmEnvironment({ HOME: '/sys/no-home' }, 'other').npm_config_cache).toBe('other')
  })

  test.each([
    ['npm error code ENOTFOUND', 'could not reach its registry'],
    ['npm error code ECONNREFUSED', 'could not reach its registry'],
    ['npm error ENOSPC: no space left on device', 'The disk is full'],
    ['npm error code EACCES', 'cannot write to the folder'],
  ])('explains %s', (output, explanation) => expect(explainNpmFailure(output)).toContain(explanation))

  test('does not explain unknown failures', () => {
    expect(explainNpmFailure('npm error something else')).toBeUndefined()
  })
})

describe('the hash of the web application', () => {
  test('changes only with the content or the name of a source', () => {
    write('package-lock.json', {})
    write('apps/web/src/main.tsx', 'one')
    write('features/groups/web/index.ts', 'two')
    const before = hashOfSources(folder)
    write('features/groups/server/index.ts', 'the server')
    write('features/groups/web/index.test.ts', 'a test')
    write('apps/web/dist/index.html', 'the build')
    expect(hashOfSources(folder)).toBe(before)

    write('features/groups/web/index.ts', 'three')
    const changed = hashOfSources(folder)
    expect(changed).not.toBe(before)
    write('features/groups/contract/index.ts', '')
    expect(hashOfSources(folder)).not.toBe(changed)
  })
})

describe('Chromium', () => {
  function program(path) {
    write(path, '#!/bin/sh\n')
    chmodSync(join(folder, path), 0o755)
    return join(folder, path)
  }

  test('prefers the configured Chromium to the one in PATH', () => {
    const inPath = program('bin/chromium')
    const named = program('my-browser')
    expect(findChromium({ PATH: join(folder, 'bin') })).toBe(inPath)
    expect(findChromium({ PATH: join(folder, 'bin'), HEADWATER_CHROMIUM: named })).toBe(named)
  })

  test('rejects a HEADWATER_CHROMIUM that is not a program, and installs nothing instead', async () => {
    const env = { HEADWATER_CHROMIUM: join(folder, 'absent'), PATH: '' }
    const noCommand = () => Promise.reject(new Error('a command ran'))
    const failure = await ensureChromium(env, noCommand).catch((error) => error)
    expect(failure.isForPeople).toBe(true)
    expect(failure.message).toContain(
      'which is not a program. Set it to the path of a Chromium, or unset it.',
    )
  })

  test('reports what to do when Chromium cannot be installed', async () => {
    const machine = {
      find: () => undefined,
      plan: () => ({ reason: 'this user has no permission to install programs' }),
    }
    const failure = await ensureChromium({}, () => undefined, machine).catch((error) => error)
    expect(failure.isForPeople).toBe(true)
    expect(failure.message).toBe(
      'The browser tests need Chromium, and it could not be installed: this user has no permission to install programs. ' +
        'Install Chromium or Google Chrome, or set HEADWATER_CHROMIUM to its path.',
    )
  })

  test('finds the headless shell in PATH, unless a browser is configured', () => {
    const shell = program('bin/chromium-headless-shell')
    expect(findHeadlessShell({ PATH: join(folder, 'bin') })).toBe(shell)
    expect(findHeadlessShell({ PATH: join(folder, 'bin'), HEADWATER_CHROMIUM: shell })).toBe(undefined)
    expect(findHeadlessShell({ PATH: folder })).toBe(undefined)
  })

  test('continues without a headless shell that cannot be installed', async () => {
    const ran = []
    const run = async (command) => {
      ran.push(command)
      throw new Error('there is no such package')
    }
    const machine = { find: () => undefined, plan: () => ({ commands: [['install', 'it']] }) }
    await preferHeadlessShell({}, run, machine)
    expect(ran).toEqual([['install', 'it']])
    await preferHeadlessShell({ HEADWATER_CHROMIUM: '/my/browser' }, run, machine)
    await preferHeadlessShell({}, run, { ...machine, plan: () => ({ reason: 'no package manager' }) })
    expect(ran).toHaveLength(1)
  })
})

test('reports the space that tests need when the temporary folder is full', () => {
  const disk = (bytes) => () => ({ bavail: bytes / 1000, bsize: 1000 })
  expect(() => requireSpace('/tmp', disk(2_000_000_000))).not.toThrow()
  expect(() => requireSpace('/tmp', disk(1_999_000_000))).toThrow(
    'The temporary folder /tmp has 1999 MB free; the tests need 2000 MB. Free some space, or set TMPDIR to a folder on another disk.',
  )
})

describe('a system program', () => {
  const packages = { 'apt-get': ['one', 'two'], brew: ['one'] }
  const machine = { has: (name) => name === 'apt-get', isRoot: true, canSudo: () => false }

  test('installs as root, with sudo without a password, or not at all', () => {
    const [update, install] = planInstall(packages, machine).commands
    expect([update[0], ...install.slice(-2)]).toEqual(['apt-get', 'one', 'two'])
    const bySudo = planInstall(packages, { ...machine, isRoot: false, canSudo: () => true }).commands
    expect(bySudo[0].slice(0, 3)).toEqual(['sudo', '-n', 'apt-get'])
    expect(planInstall(packages, { ...machine, isRoot: false }).reason).toContain('as root run: apt-get')
    expect(planInstall(packages, { ...machine, has: () => false }).reason).toContain('no package manager')
  })

  test('skips a package manager without the package', () => {
    const both = { ...machine, has: (name) => ['dnf', 'brew'].includes(name), isRoot: false }
    expect(planInstall(packages, both).commands).toEqual([['brew', 'install', '--cask', 'one']])
  })
})

describe('the programs that run user code', () => {
  const nothing = () => Promise.reject(new Error('a command ran'))
  const plan = (packages) => planInstall(packages, { has: (name) => name === 'apt-get', isRoot: true })
  const complete = { platform: 'linux', has: () => true, hasModule: () => true, plan }

  test('installs the packages when a program is missing', async () => {
    const commands = []
    const run = (command) => Promise.resolve(commands.push(command))
    expect(await ensureSandboxPrograms(run, { ...complete, has: () => commands.length > 0 })).toBeUndefined()
    expect(commands.at(-1).slice(-3)).toEqual(['bubblewrap', 'python3', 'util-linux'])
  })

  test('installs the Python packages, without recommended ones, when a module is missing', async () => {
    const commands = []
    const run = (command) => Promise.resolve(commands.push(command))
    const machine = { ...complete, hasModule: (name) => name !== 'pandas' || commands.length > 0 }
    expect(await ensureSandboxPrograms(run, machine)).toBeUndefined()
    expect(commands.at(-1).slice(-4)).toEqual([
      '--no-install-recommends',
      'python3-requests',
      'python3-numpy',
      'python3-pandas',
    ])
  })

  test('installs nothing when all programs and modules exist, or on another system', async () => {
    expect(await ensureSandboxPrograms(nothing, complete)).toBeUndefined()
    expect(await ensureSandboxPrograms(nothing, { platform: 'darwin', has: () => false })).toBeUndefined()
  })

  test('reports why they cannot be installed, and the other tests still run', async () => {
    const noProgram = { ...complete, has: (name) => name !== 'bwrap' }
    expect(await ensureSandboxPrograms(nothing, noProgram)).toContain(
      'bwrap could not be installed. a command',
    )
    const none = { ...noProgram, plan: () => ({ reason: 'no permission' }) }
    expect(await ensureSandboxPrograms(nothing, none)).toContain('no permission')
  })

  test('names missing Python packages if the user has no permission to install them', async () => {
    const user = { has: (name) => name === 'apt-get', isRoot: false, canSudo: () => false }
    const machine = {
      ...complete,
      hasModule: (name) => name !== 'pandas',
      plan: (packages) => planInstall(packages, user),
    }
    expect(await ensureSandboxPrograms(nothing, machine)).toBe(
      'The tests of scripts with Python packages will fail: python3-pandas could not be installed: this user has no permission to ' +
        'install programs; as root run: apt-get update -q && ' +
        'apt-get install -y -q --no-install-recommends python3-requests python3-numpy python3-pandas.',
    )
  })
})

test('a failed step reports its name, the reason and the output', async () => {
  const command = [process.execPath, '-e', 'console.error("the output"); process.exit(3)']
  const failure = await runStep('Doing it', command, { explain: () => 'A reason.' }).catch((error) => error)
  expect(failure.isForPeople).toBe(true)
  expect(failure.message).toBe('Doing it failed. A reason.\nthe output')
  await expect(runStep('Doing it', [join(folder, 'absent')])).rejects.toThrow('the program')
})

test('an unknown command lists the known ones', () => {
  const entry = fileURLToPath(new URL('./headwater.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [entry, 'strat'], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain(
    'Unknown command “strat”. The commands are: start, dev, worker, test, test:long, test:changed, mutate, check, bench, new-feature.',
  )
})
