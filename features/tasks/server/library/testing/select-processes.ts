import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns the ids of running SELECT processes that a process has started. */
export async function selectProcesses(ofProcess = process.pid): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = new Map(await Promise.all(ids.map(async (id) => [id, await parentOf(id)] as const)))
  const isOwn = (id: number | undefined): boolean =>
    id !== undefined && (id === ofProcess || isOwn(parents.get(id)))
  const lines = await Promise.all(
    ids
      .filter(isOwn)
      .map(async (id) => [id, await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')] as const),
  )
  return lines
    .filter(([, line]) => /bin\/node\0.*select-process/.test(line) && !line.includes('bwrap'))
    .map(([id]) => id)
}

async function parentOf(id: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text.slice(text.lastIndexOf(')')).split(' ')[2])
}

/** Returns whether the engine of a process has a thread that executes a statement. */
async function hasEngine(id: number): Promise<boolean> {
  const folder = `/proc/${id}/task`
  const threads = await readdir(folder).catch(() => [])
  const names = await Promise.all(
    threads.map((thread) => readFile(`${folder}/${thread}/comm`, 'utf8').catch(() => '')),
  )
  return names.some((name) => name.startsWith('QueryPull'))
}

/** Waits until a process other than the given ones executes a statement, and returns its id. */
export async function startedSelect(others: readonly number[] = [], ofProcess?: number): Promise<number> {
  for (;;) {
    for (const id of await selectProcesses(ofProcess))
      if (!others.includes(id) && (await hasEngine(id))) return id
    await sleep(5)
  }
}
