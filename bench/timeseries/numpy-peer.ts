import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The formulas of the benchmark in numpy, in a process that has the inputs as arrays. */
export interface NumpyPeer {
  name: string
  /** Computes all formulas once and returns the time, the number of values and their sum. */
  compute(): Promise<{ ms: number; count: number; sum: number }>
  stop(): void
}

/** Starts `python3`, which needs numpy (Debian: `apt-get install python3-numpy`). */
export async function openNumpyPeer(
  folder: string,
  inputs: readonly { timestamps: Float64Array; values: Float64Array }[],
): Promise<NumpyPeer> {
  await mkdir(folder)
  for (const [index, { timestamps, values }] of inputs.entries()) {
    await writeFile(join(folder, `${index}.timestamps`), timestamps)
    await writeFile(join(folder, `${index}.values`), values)
  }
  const script = fileURLToPath(new URL('./numpy-peer.py', import.meta.url))
  const child = spawn('python3', [script, folder, String(inputs.length)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const readLine = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('python3 has exited. This benchmark needs python3 with numpy.')
    return JSON.parse(value)
  }
  await once(child, 'spawn')
  const { version } = (await readLine()) as { version: string }
  return {
    name: `numpy ${version}`,
    async compute() {
      child.stdin.write('compute\n')
      return (await readLine()) as { ms: number; count: number; sum: number }
    },
    stop: () => void child.stdin.end(),
  }
}
