import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runScript } from '../test/run-script.ts'

const packagesFolder = mkdtempSync(join(tmpdir(), 'sandbox-packages-'))
chmodSync(packagesFolder, 0o755)
afterAll(() => rmSync(packagesFolder, { recursive: true, force: true }))

test('the module headwater loads only when a script imports it, and cannot be changed', async () => {
  const script = [
    'import sys',
    'print([name for name in ("headwater", "json", "http.client") if name in sys.modules])',
    'import headwater',
    'print("http.client" in sys.modules, headwater.__all__)',
    'open(headwater.__file__, "a")',
  ].join('\n')
  const { lines, outcome } = await runScript({ script, limits: { memoryBytes: 64 * 1024 * 1024 } })
  expect(lines).toEqual(['[]', "False ['read_input', 'write_output']"])
  expect(outcome.exception?.message).toContain('Read-only file system')
})

test('a package named headwater has precedence over the module', async () => {
  writeFileSync(join(packagesFolder, 'headwater.py'), 'origin = "package"\n', { mode: 0o644 })
  const { lines } = await runScript({ script: 'import headwater\nprint(headwater.origin)', packagesFolder })
  expect(lines).toEqual(['package'])
})
