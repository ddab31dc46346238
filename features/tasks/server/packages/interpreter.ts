import type { Sandbox } from '@headwater/sandbox'
import type { MarkerEnvironment } from './markers.ts'
import { compatibleTags } from './wheel-name.ts'

/** Properties of this machine's Python that packages depend on. */
export interface InterpreterFacts {
  /** Values that dependency conditions refer to. */
  environment: MarkerEnvironment
  /** Wheel tags that it accepts, best first. */
  tags: string[]
  /** Name and version, such as `cpython-311`, which compiled modules depend on. */
  cacheTag: string
}

const mib = 1024 * 1024

const factsScript = `
import json, os, platform, sys
try: libc = os.confstr("CS_GNU_LIBC_VERSION") or ""
except (AttributeError, ValueError, OSError): libc = ""
print(json.dumps({
  "minor": sys.version_info.minor, "machine": platform.machine(), "libc": libc, "cacheTag": sys.implementation.cache_tag,
  "environment": {
    "os_name": os.name, "sys_platform": sys.platform, "platform_machine": platform.machine(),
    "platform_python_implementation": platform.python_implementation(), "platform_release": platform.release(),
    "platform_system": platform.system(), "platform_version": platform.version(),
    "python_version": ".".join(platform.python_version_tuple()[:2]), "python_full_version": platform.python_version(),
    "implementation_name": sys.implementation.name, "implementation_version": platform.python_version(),
  }}))`

/** Returns the properties of the interpreter in a sandbox. */
export async function readInterpreter(sandbox: Sandbox): Promise<InterpreterFacts> {
  const { minor, machine, libc, cacheTag, environment } = JSON.parse(
    await printedBy(sandbox, { script: factsScript }),
  ) as {
    minor: number
    machine: string
    libc: string
    cacheTag: string
    environment: Record<string, string>
  }
  const [, major, glibcMinor] = /^glibc (\d+)\.(\d+)/.exec(libc) ?? []
  const glibc = major === undefined ? undefined : ([Number(major), Number(glibcMinor)] as const)
  return { environment, tags: compatibleTags({ minor, machine, glibc }), cacheTag }
}

const systemScript = `
import importlib.metadata, json
print(json.dumps([[each.metadata["Name"], each.version] for each in importlib.metadata.distributions() if each.metadata["Name"]]))`

/** Returns the names and versions of the system packages. */
export async function readSystemPackages(sandbox: Sandbox): Promise<[name: string, version: string][]> {
  return JSON.parse(await printedBy(sandbox, { script: systemScript, systemPackages: true })) as [
    string,
    string,
  ][]
}

/** Runs a script of this project in a sandbox and returns its output. Throws if it fails. */
export async function printedBy(
  sandbox: Sandbox,
  run: {
    script: string
    packagesFolder?: string
    systemPackages?: boolean
    outputBytes?: number
    wallMs?: number
  },
): Promise<string> {
  const { outputBytes = 8 * mib, wallMs = 60_000, ...rest } = run
  const printed: string[] = []
  const { end, exitCode, stderrTail } = await sandbox.runPython({
    ...rest,
    env: {},
    limits: {
      wallMs,
      cpuSeconds: Math.ceil(wallMs / 1000),
      memoryBytes: 512 * mib,
      processes: 2,
      outputBytes,
      diskBytes: mib,
    },
    onOutput(text, stream) {
      if (stream === 'stdout') printed.push(text)
    },
    signal: new AbortController().signal,
  })
  if (end !== 'exited' || exitCode !== 0)
    throw new Error(`Python could not be examined: ${stderrTail || end}`)
  return printed.join('')
}
