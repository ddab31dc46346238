import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureChromium, findChromium, findHeadlessShell, preferHeadlessShell } from './chromium.mjs'
import { demandRoom } from './commands/test.mjs'
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

  test('an install of all that this system needs is complete without the packages of others', () => {
    expect(matches(installed)).toBe(true)
  })

  test.each([
    ['a package is missing', { 'node_modules/a': undefined }],
    ['a package has another version', { 'node_modules/a': { version: '1.0.1' } }],
    ['the binary of this system is missing', { 'node_modules/a-native': undefined }],
    ['a room is not linked', { 'node_modules/@headwater/kit': undefined }],
  ])('it is not when %s', (_what, change) => {
    expect(matches(JSON.parse(JSON.stringify({ ...installed, ...change })))).toBe(false)
  })

  test('it is not when nothing was installed yet', () => {
    write('package-lock.json', { packages: wanted })
    expect(dependenciesMatch(folder)).toBe(false)
  })
})

describe('npm', () => {
  test('it is not told what an outer npm start says about itself, but all that the user set', () => {
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

  test('it keeps its own cache where that can be written and gets another one where not', () => {
    expect(npmEnvironment({ HOME: folder }, 'other').npm_config_cache).toBeUndefined()
    expect(npmEnvironment({ HOME: '/sys/no-home' }, 'other').npm_config_cache).toBe('other')
  })

  test.each([
    ['npm error code ENOTFOUND', 'could not reach its registry'],
    ['npm error code ECONNREFUSED', 'could not reach its registry'],
    ['npm error ENOSPC: no space left on device', 'The disk is full'],
    ['npm error code EACCES', 'may not write to the folder'],
  ])('%s is explained', (output, words) => expect(explainNpmFailure(output)).toContain(words))

  test('what is not known is not explained', () => {
    expect(explainNpmFailure('npm error something else')).toBeUndefined()
  })
})

describe('the hash of the web application', () => {
  test('it changes with the content and the name of a source, and with nothing else', () => {
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

  test('the one that is named wins over the one in PATH', () => {
    const inPath = program('bin/chromium')
    const named = program('my-browser')
    expect(findChromium({ PATH: join(folder, 'bin') })).toBe(inPath)
    expect(findChromium({ PATH: join(folder, 'bin'), HEADWATER_CHROMIUM: named })).toBe(named)
  })

  test('a HEADWATER_CHROMIUM that is not a program is an error, and nothing is installed instead', async () => {
    const env = { HEADWATER_CHROMIUM: join(folder, 'absent'), PATH: '' }
    const noCommand = () => Promise.reject(new Error('a command was run'))
    const failure = await ensureChromium(env, noCommand).catch((error) => error)
    expect(failure.isForPeople).toBe(true)
    expect(failure.message).toContain(
      'which is not a program. Set it to the path of a Chromium, or unset it.',
    )
  })

  test('a Chromium that cannot be installed is an error that says what to do', async () => {
    const machine = { find: () => undefined, plan: () => ({ reason: 'this user may not install programs' }) }
    const failure = await ensureChromium({}, () => undefined, machine).catch((error) => error)
    expect(failure.isForPeople).toBe(true)
    expect(failure.message).toBe(
      'The browser tests need Chromium, and it could not be installed: this user may not install programs. ' +
        'Install Chromium or Google Chrome, or set HEADWATER_CHROMIUM to its path.',
    )
  })

  test('the headless shell is found in PATH, unless a browser is named', () => {
    const shell = program('bin/chromium-headless-shell')
    expect(findHeadlessShell({ PATH: join(folder, 'bin') })).toBe(shell)
    expect(findHeadlessShell({ PATH: join(folder, 'bin'), HEADWATER_CHROMIUM: shell })).toBe(undefined)
    expect(findHeadlessShell({ PATH: folder })).toBe(undefined)
  })

  test('a headless shell that cannot be installed is no error', async () => {
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

test('a full temporary folder is an error that says how much room the tests need', () => {
  const disk = (bytes) => () => ({ bavail: bytes / 1000, bsize: 1000 })
  expect(() => demandRoom('/tmp', disk(2_000_000_000))).not.toThrow()
  expect(() => demandRoom('/tmp', disk(1_999_000_000))).toThrow(
    'The temporary folder /tmp has 1999 MB free; the tests need 2000 MB. Free some space, or set TMPDIR to a folder on another disk.',
  )
})

describe('a program of the system', () => {
  const packages = { 'apt-get': ['one', 'two'], brew: ['one'] }
  const machine = { has: (name) => name === 'apt-get', isRoot: true, maySudo: () => false }

  test('it is installed by root, by sudo without a question, or not at all', () => {
    const [update, install] = planInstall(packages, machine).commands
    expect([update[0], ...install.slice(-2)]).toEqual(['apt-get', 'one', 'two'])
    const bySudo = planInstall(packages, { ...machine, isRoot: false, maySudo: () => true }).commands
    expect(bySudo[0].slice(0, 3)).toEqual(['sudo', '-n', 'apt-get'])
    expect(planInstall(packages, { ...machine, isRoot: false }).reason).toContain('as root run: apt-get')
    expect(planInstall(packages, { ...machine, has: () => false }).reason).toContain('no package manager')
  })

  test('a manager that has no such package is passed over', () => {
    const both = { ...machine, has: (name) => ['dnf', 'brew'].includes(name), isRoot: false }
    expect(planInstall(packages, both).commands).toEqual([['brew', 'install', '--cask', 'one']])
  })
})

describe('what user code is run with', () => {
  const nothing = () => Promise.reject(new Error('a command was run'))
  const plan = (packages) => planInstall(packages, { has: (name) => name === 'apt-get', isRoot: true })

  test('it is installed when one of its programs is missing', async () => {
    const commands = []
    const machine = { platform: 'linux', has: () => commands.length > 0, plan }
    const run = (command) => Promise.resolve(commands.push(command))
    expect(await ensureSandboxPrograms(run, machine)).toBeUndefined()
    expect(commands.at(-1).slice(-3)).toEqual(['bubblewrap', 'python3', 'util-linux'])
  })

  test('nothing is installed where all is there, or on another system', async () => {
    expect(await ensureSandboxPrograms(nothing, { platform: 'linux', has: () => true })).toBeUndefined()
    expect(await ensureSandboxPrograms(nothing, { platform: 'darwin', has: () => false })).toBeUndefined()
  })

  test('where it cannot be installed the other tests still run, and it is said why', async () => {
    const machine = { platform: 'linux', has: (name) => name !== 'bwrap', plan }
    expect(await ensureSandboxPrograms(nothing, machine)).toContain('bwrap could not be installed. a command')
    const none = { ...machine, plan: () => ({ reason: 'nobody may' }) }
    expect(await ensureSandboxPrograms(nothing, none)).toContain('nobody may')
  })
})

test('a step that fails says what it was, why, and what the program said', async () => {
  const command = [process.execPath, '-e', 'console.error("the words"); process.exit(3)']
  const failure = await runStep('Doing it', command, { explain: () => 'A reason.' }).catch((error) => error)
  expect(failure.isForPeople).toBe(true)
  expect(failure.message).toBe('Doing it failed. A reason.\nthe words')
  await expect(runStep('Doing it', [join(folder, 'absent')])).rejects.toThrow('there is no program')
})

test('an unknown command names those there are', () => {
  const entry = fileURLToPath(new URL('./headwater.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [entry, 'strat'], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toContain(
    'There is no command “strat”. The commands are: start, dev, test, test:long, test:changed, mutate, check, bench, new-feature.',
  )
})
