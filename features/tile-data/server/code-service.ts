import type { SandboxAvailability, RunOutcome } from '@headwater/sandbox'
import { createWorkLimit, type WorkLimit } from '@headwater/server-kit'
import { codeSeconds, tileErrors } from '../contract/index.ts'
import type { CodeData } from '../core/tiles/code/code-data.ts'

/** Maximum number of concurrent scripts of all users. Scripts of the same user run one at a time. */
const concurrency = 3
const memoryMib = 256
const outputMib = 2
const mib = 1024 * 1024

/** The service that runs the code of tiles. */
export type CodeService = ReturnType<typeof createCodeService>

/** Creates the service that runs the Python of code tiles, without network and token. */
export function createCodeService({ findSandbox }: { findSandbox: () => Promise<SandboxAvailability> }) {
  const limit = createWorkLimit(concurrency)
  const users = new Map<number, { limit: WorkLimit; waiting: number }>()

  async function queued<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const own = users.get(userId) ?? { limit: createWorkLimit(1), waiting: 0 }
    users.set(userId, own)
    own.waiting += 1
    try {
      return await own.limit(() => limit(work))
    } finally {
      own.waiting -= 1
      if (own.waiting === 0) users.delete(userId)
    }
  }

  return {
    /** Runs a script. Returns its output and the reason if it failed; the reason is null if it succeeded. */
    async run(
      userId: number,
      { code, data }: { code: string; data: CodeData | null },
      signal: AbortSignal,
    ): Promise<{ output: string; error: string | null }> {
      const sandbox = await findSandbox()
      if (!sandbox.available) throw tileErrors.codeCannotRun({ reason: sandbox.reason })
      let printed = ''
      const outcome = await queued(userId, () =>
        sandbox.sandbox.runPython({
          script: scriptOf(code, data),
          env: {},
          limits: {
            wallMs: codeSeconds * 1000,
            cpuSeconds: codeSeconds,
            memoryBytes: memoryMib * mib,
            processes: 16,
            outputBytes: outputMib * mib,
            diskBytes: 64 * mib,
          },
          onOutput(text, stream) {
            if (stream === 'stdout') printed += text
          },
          signal,
        }),
      )
      return { output: printed.replaceAll('\r\n', '\n').replace(/\n$/, ''), error: errorOf(outcome) }
    },
  }
}

/** Returns the script with its data. A JSON string is also a valid Python literal. */
function scriptOf(code: string, data: CodeData | null): string {
  const literal = (value: unknown) => JSON.stringify(JSON.stringify(value))
  return [
    'import json',
    `data = json.loads(${literal(data)})`,
    `exec(compile(json.loads(${literal(code)}), "tile.py", "exec"))`,
    '',
  ].join('\n')
}

function errorOf({ end, exitCode, exception }: RunOutcome): string | null {
  switch (end) {
    case 'wallLimit':
    case 'cpuLimit':
      return `The code exceeded the time limit of ${codeSeconds} seconds.`
    case 'memoryLimit':
      return `The code exceeded the memory limit of ${memoryMib} MiB.`
    case 'outputLimit':
      return `The code exceeded the output limit of ${outputMib} MiB.`
    case 'aborted':
    case 'killed':
      return 'The code was stopped by the system. Try again.'
    case 'exited':
      if (exception !== undefined) return `${exception.name}: ${exception.message}`
      return exitCode === 0 ? null : `The code ended with the exit code ${exitCode}.`
  }
}
