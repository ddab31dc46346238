import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chooseRunAs, giveFolderTo, isPrivateFolderOf } from './run-as.ts'

const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
let base: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'headwater-run-as-'))
})

afterEach(() => rm(base, { recursive: true, force: true }))

test('an ordinary user with an account runs PostgreSQL directly', async () => {
  // 65534 is `nobody` on Linux and has an account everywhere.
  const runAs = await chooseRunAs([base], { uid: 65_534, gid: 65_534 })
  expect(runAs).toEqual({ prefix: [], owner: { uid: 65_534, gid: 65_534 } })
})

test('a user id without an account runs it as nobody in a user namespace, or the error explains why this fails', async () => {
  const outcome = await chooseRunAs([base], { uid: 54_321, gid: 54_321 }).catch((error: Error) => error)
  if (outcome instanceof Error) expect(outcome.message).toContain('has no account on this system')
  else expect(outcome.prefix).toContain('--map-user=65534')
})

describe('root', () => {
  const root = { uid: 0, gid: 0 }

  test('switches to another user if that user can access the path', async () => {
    // Every user can traverse the root folder. A temporary folder may be inside a private folder of the current user.
    const runAs = await chooseRunAs(['/'], root)
    expect(runAs.prefix).toEqual([])
    expect(runAs.uid).toBeGreaterThan(0)
    expect(runAs.owner.uid).toBe(runAs.uid)
  })

  test('chooses another way or explains what to do if no other user can access the path', async () => {
    const inner = join(base, 'closed', 'inner')
    await mkdir(inner, { recursive: true })
    await chmod(join(base, 'closed'), 0o700)
    const outcome = await chooseRunAs([inner], root).catch((error: Error) => error)
    if (outcome instanceof Error) expect(outcome.message).toContain('does not run as root')
    else expect(outcome.prefix.length).toBeGreaterThan(0)
  })
})

test('changes the owner of a folder and all its content', async () => {
  await writeFile(join(base, 'file'), '')
  const owner = self.uid === 0 ? { uid: 65_534, gid: 65_534 } : self
  await giveFolderTo(owner, base)
  expect((await stat(base)).uid).toBe(owner.uid)
  expect((await stat(join(base, 'file'))).uid).toBe(owner.uid)
  if (self.uid === 0) await chown(base, 0, 0)
})

test('a folder is private only if the same user owns it and nobody else has access', async () => {
  await chmod(base, 0o700)
  expect(await isPrivateFolderOf(self, base)).toBe(true)
  expect(await isPrivateFolderOf({ uid: self.uid + 1, gid: self.gid }, base)).toBe(false)
  await chmod(base, 0o750)
  expect(await isPrivateFolderOf(self, base)).toBe(false)
  expect(await isPrivateFolderOf(self, join(base, 'absent'))).toBe(false)
})
