import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sandbox } from '@headwater/sandbox'
import { printedBy } from './interpreter.ts'

const mib = 1024 * 1024
const maxOutputBytes = 512 * mib
const wallMs = 300_000

/**
 * Compiles each module and prints its path and the compiled code, without running the modules. The code is marked as unchecked,
 * because the folder never changes.
 */
const script = `
import base64, importlib.util, os, sys
from importlib._bootstrap_external import _code_to_hash_pyc
sys.setrecursionlimit(10000)
root = "/run/packages"
for folder, _, names in os.walk(root):
    for name in names:
        if not name.endswith(".py"): continue
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file: source = file.read()
            code = compile(source, path, "exec", dont_inherit=True)
            data = _code_to_hash_pyc(code, importlib.util.source_hash(source), False)
        except Exception: continue
        target = os.path.relpath(importlib.util.cache_from_source(path), root)
        sys.stdout.write(target + "\\t" + base64.b64encode(data).decode() + "\\n")`

/** Compiles all modules in a folder and stores the results next to them. The compiler runs in the sandbox. */
export async function compileModules(sandbox: Sandbox, folder: string): Promise<void> {
  const printed = await printedBy(sandbox, {
    script,
    packagesFolder: folder,
    outputBytes: maxOutputBytes,
    wallMs,
  })
  for (const line of printed.split('\n')) {
    const [path, data] = line.split('\t')
    if (!path || data === undefined || !isInside(path)) continue
    const target = join(folder, path)
    const parent = dirname(target)
    await mkdir(parent, { recursive: true, mode: 0o755 })
    await chmod(parent, 0o755)
    await writeFile(target, Buffer.from(data, 'base64'), { mode: 0o644 })
    await chmod(target, 0o644)
  }
}

/** Returns whether a printed path is inside the folder. Other lines do not come from the compiler. */
function isInside(path: string): boolean {
  return (
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && path.endsWith('.pyc')
  )
}
