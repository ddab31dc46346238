import { expect, test } from 'vitest'
import { matchesMarker, parseDependency } from './markers.ts'
import { compareVersions, matchesSpecifiers, parseVersion } from './versions.ts'
import { compatibleTags, parseWheelName } from './wheel-name.ts'

const version = (text: string) => parseVersion(text)!
const matches = (text: string, specifiers: string) => matchesSpecifiers(version(text), specifiers)

test('versions are ordered as specified in PEP 440', () => {
  const ordered = [
    '1.dev0',
    '1.0a1.dev1',
    '1.0a1',
    '1.0b2',
    '1.0rc1',
    '1.0',
    '1.0+abc',
    '1.0+5',
    '1.0.post1.dev1',
    '1.0.post1',
    '1.0.1',
    '1.10',
    '1!0.1',
  ]
  expect(ordered.toReversed().toSorted((a, b) => compareVersions(version(a), version(b)))).toEqual(ordered)
  expect(compareVersions(version('1.0'), version('v1.0.0'))).toBe(0)
  expect(compareVersions(version('1.0-alpha.1'), version('1.0a1'))).toBe(0)
  expect(compareVersions(version('1.0-1'), version('1.0.post1'))).toBe(0)
  for (const wrong of ['', 'x', '1.0 2', '1..0', '1.0-', 'latest', '>=1'])
    expect(parseVersion(wrong)).toBeUndefined()
})

test.each([
  ['2.1', '>=1.26,<3', true],
  ['3.0', '>=1.26,<3', false],
  ['1.5.3', '==1.5.*', true],
  ['1.50', '==1.5.*', false],
  ['1.5.3', '!=1.5.*', false],
  ['2.2.3', '~=2.2', true],
  ['3.0', '~=2.2', false],
  ['2.2.9', '~=2.2.3', true],
  ['2.3', '~=2.2.3', false],
  ['3.0rc1', '<3', false],
  ['2.0.post1', '>2.0', false],
  ['2.0+local', '==2.0', true],
  ['2.0', '==2.0+local', false],
  ['2.0', '===2.0', true],
  ['2.0', '', true],
  ['2.0', 'latest', false],
  ['2.0', '>=1,@x', false],
])('%s matches %s: %s', (text, specifiers, expected) => {
  expect(matches(text, specifiers)).toBe(expected)
})

test('dependencies contain name, extras, versions and condition; URLs are rejected', () => {
  expect(parseDependency('Charset_Normalizer[A.b, c] (>=2,<4) ; python_version < "3.9"')).toEqual({
    name: 'charset-normalizer',
    extras: ['a-b', 'c'],
    specifiers: '>=2,<4',
    marker: 'python_version < "3.9"',
  })
  expect(parseDependency('numpy>=1.26.0; python_version == "3.12"')).toMatchObject({ specifiers: '>=1.26.0' })
  expect(parseDependency('evil @ https://example.com/evil.whl')).toBeUndefined()
  expect(parseDependency('-r other.txt')).toBeUndefined()
})

test.each([
  ['python_version >= "3.9" and sys_platform == "linux"', true],
  ['python_version < "3.9" or os_name == "nt"', false],
  ['python_version < "3.9" or (os_name == "posix" and python_version > "3.2")', true],
  ['extra == "socks"', true],
  ['extra == "other"', false],
  ['platform_machine in "x86_64 aarch64"', true],
  ['sys_platform not in "win32 darwin"', true],
  ['python_full_version >= "3.11.2"', true],
  ['python_version', false],
  ['(python_version >= "3"', false],
])('the condition %s is %s', (marker, expected) => {
  const environment = {
    python_version: '3.11',
    python_full_version: '3.11.2',
    sys_platform: 'linux',
    os_name: 'posix',
    platform_machine: 'x86_64',
  }
  expect(matchesMarker(marker, environment, ['socks'])).toBe(expected)
})

test('wheel names contain the package, its version and the compatible platforms', () => {
  const tags = compatibleTags({ minor: 11, machine: 'x86_64', glibc: [2, 36] })
  const fits = (fileName: string) => parseWheelName(fileName)?.tags.some((tag) => tags.includes(tag))
  expect(parseWheelName('Charset_Normalizer-3.4.0-py3-none-any.whl')).toMatchObject({
    name: 'charset-normalizer',
  })
  expect(fits('requests-2.32.3-py2.py3-none-any.whl')).toBe(true)
  expect(fits('numpy-2.1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl')).toBe(true)
  expect(fits('cryptography-43.0.0-cp37-abi3-manylinux_2_28_x86_64.whl')).toBe(true)
  expect(fits('numpy-2.1.0-cp312-cp312-manylinux_2_17_x86_64.whl')).toBe(false)
  expect(fits('numpy-2.1.0-cp311-cp311-manylinux_2_39_x86_64.whl')).toBe(false)
  expect(fits('numpy-2.1.0-cp311-cp311-musllinux_1_1_x86_64.whl')).toBe(false)
  expect(fits('numpy-2.1.0-cp311-cp311-win_amd64.whl')).toBe(false)
  for (const wrong of ['numpy-2.1.0.tar.gz', '../numpy-2.1.0-py3-none-any.whl', 'numpy-py3-none-any.whl'])
    expect(parseWheelName(wrong)).toBeUndefined()
})
