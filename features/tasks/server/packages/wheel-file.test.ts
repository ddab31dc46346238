import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wheelOf, zipOf, type ArchiveFile, type TestWheel } from './testing/wheels.ts'
import { readWheel, WheelError } from './wheel-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheels-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function install(wheel: TestWheel): Promise<string> {
  const target = await mkdtemp(join(folder, 'target-'))
  const { fileName, content } = wheelOf(wheel)
  await readWheel(content, fileName).unpack(target)
  return target
}

test('unpacks modules, readable by every user, and omits programs', async () => {
  const target = await install({
    name: 'tool',
    version: '1.0',
    modules: {
      'tool/__init__.py': 'a = 1',
      'tool/data/x.txt': 'x',
      'tool-1.0.data/purelib/more.py': 'b = 2',
      'tool-1.0.data/scripts/run': '#!/bin/sh',
    },
  })
  expect((await readdir(target)).toSorted()).toEqual(['more.py', 'tool', 'tool-1.0.dist-info'])
  expect(await readFile(join(target, 'tool/data/x.txt'), 'utf8')).toBe('x')
  expect((await stat(join(target, 'tool/data'))).mode & 0o777).toBe(0o755)
  expect((await stat(join(target, 'tool/data/x.txt'))).mode & 0o777).toBe(0o644)
})

const file = (path: string, more: Partial<ArchiveFile> = {}): ArchiveFile => ({ path, content: 'x', ...more })

test.each<[string, Partial<TestWheel>, RegExp]>([
  ['a name with ..', { extra: [file('../evil.py')] }, /leaves its folder/],
  ['.. within a name', { extra: [file('tool/../../evil.py')] }, /leaves its folder/],
  ['an absolute name', { extra: [file('/tmp/evil.py')] }, /leaves its folder/],
  ['a backslash', { extra: [file('..\\evil.py')] }, /leaves its folder/],
  ['.. in a data folder', { extra: [file('tool-1.0.data/purelib/../../evil.py')] }, /leaves its folder/],
  ['a .pth file', { modules: { 'evil.pth': 'import os' } }, /would run code at every start/],
  [
    'a .pth file in a data folder',
    { modules: { 'tool-1.0.data/purelib/evil.PTH': 'import os' } },
    /would run code/,
  ],
  ['a module that Python runs at its start', { modules: { 'sitecustomize.py': '' } }, /would run code/],
  ['a link', { extra: [file('tool/link', { mode: 0o120777 })] }, /a link or a special file/],
  ['a device', { extra: [file('tool/device', { mode: 0o020666 })] }, /a link or a special file/],
  ['a file twice', { extra: [file('tool/__init__.py')] }, /contained twice/],
  ['huge content', { extra: [file('tool/huge', { statedBytes: 2 ** 31 })] }, /more than 1 GiB/],
  ['a URL as a dependency', { requires: ['evil @ https://example.com/evil.whl'] }, /not a version/],
])('rejects a wheel with %s', async (_what, wheel, message) => {
  const { fileName, content } = wheelOf({ name: 'tool', version: '1.0', ...wheel })
  expect(() => readWheel(content, fileName)).toThrow(message)
  expect(await readdir(folder)).not.toContain('evil.py')
})

test('rejects content that is not listed, differs from its hash or is larger than stated', async () => {
  await expect(install({ name: 'tool', version: '1.0', extra: [file('tool/more.py')] })).rejects.toThrow(
    'tool/more.py does not match its hash',
  )
  const changed = wheelOf({ name: 'tool', version: '1.0' })
  const others = wheelOf({
    name: 'tool',
    version: '1.0',
    modules: { 'tool/__init__.py': 'version = "2.0"\n' },
  })
  // Both have the same sizes, so the list of one fits into the other.
  const at = others.content.indexOf('tool-1.0.dist-info/RECORD')
  const mixed = Buffer.concat([changed.content.subarray(0, at), others.content.subarray(at)])
  const target = await mkdtemp(join(folder, 'target-'))
  await expect(async () => readWheel(mixed, changed.fileName).unpack(target)).rejects.toThrow(
    /does not match its hash|is damaged/,
  )
  const bomb = file('tool/bomb', { content: Buffer.alloc(10_000_000), statedBytes: 10 })
  await expect(install({ name: 'tool', version: '1.0', extra: [bomb] })).rejects.toThrow(
    'tool/bomb is damaged',
  )
})

test('rejects damaged archives and wheels of a different package', () => {
  const { content, fileName } = wheelOf({ name: 'tool', version: '1.0' })
  const noArchive = new WheelError(`${fileName} cannot be installed: it is not a zip archive.`)
  expect(() => readWheel(Buffer.from('no zip'), fileName)).toThrow(noArchive)
  expect(() => readWheel(content.subarray(100), fileName)).toThrow(/damaged/)
  expect(() => readWheel(content, 'tool-2.0-py3-none-any.whl')).toThrow('does not match its name')
  expect(() => readWheel(content, 'other-1.0-py3-none-any.whl')).toThrow('does not match its name')
  expect(() => readWheel(content, 'tool.whl')).toThrow('is not the name of a wheel')
  const many = zipOf([file('one')])
  many.writeUInt16LE(50_001, many.length - 12)
  expect(() => readWheel(many, fileName)).toThrow('more than 50000 files')
})
