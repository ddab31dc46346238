import type { administratorOf } from './server-process.ts'

/** A caller of the public API. */
type Api = ReturnType<typeof administratorOf>

/** A run as the public API reports it. */
export interface RunJob {
  status: string
  endTime?: string
  componentStatuses: { component: string; status: string; message: string }[]
}

/** Saves a pipeline that stores its input item as a file and as a series of the group, and returns its id. */
export async function saveStoringPipeline(api: Api, group: string, name: string): Promise<string> {
  const store = (id: string, taskName: string, textMode: object, more: object) => ({
    id,
    taskReadableName: id,
    taskName,
    taskOverrides: {
      params: [
        { name: 'Content', value: 'text' },
        { name: 'Group', value: group },
        { name: 'Text', ...textMode },
        { name: 'File name', mode: 'expression', value: `trigger.item & ".${id}"` },
      ],
    },
    ...more,
  })
  const series = '"Code,Date(UTC),Close\\n" & trigger.item & ",2026-01-01T00:00:00,1.5\\n"'
  const { pipeline } = (await api.post('/mgmt/pipeline', {
    name,
    groupName: group,
    tasks: [
      store('txt', 'store-file', { value: '${trigger.item}' }, {}),
      store('ncsv', 'store-series', { mode: 'expression', value: series }, { prevTasks: [{ id: 'txt' }] }),
    ],
  })) as { pipeline: { id: string } }
  return pipeline.id
}

/** Returns the task that runs a pipeline of the group for each item, three at a time. */
export function loopOver(pipeline: string, items: readonly string[]): object {
  const params = { pipeline, items: items.join(','), parallel: '3' }
  return {
    id: 'loop',
    taskReadableName: 'loop',
    taskName: 'for-each',
    taskOverrides: { params: Object.entries(params).map(([name, value]) => ({ name, value })) },
  }
}

/** Returns the runs of a pipeline. */
export async function runsOf(
  api: Api,
  pipelineId: string,
): Promise<(RunJob & { payload: { index: number } })[]> {
  const { items } = await api.get(`/status?size=1000&pipelineRootIds=${pipelineId}`)
  return items as (RunJob & { payload: { index: number } })[]
}

/** Returns the number of versions of a file; 0 if it does not exist. */
export async function versionsOf(api: Api, group: string, fileName: string): Promise<number> {
  const query = encodeURIComponent(`name=${fileName}&groupName=${group}`)
  const { items } = await api.get(`/file/search?query=${query}`)
  return (items as { version: number }[])[0]?.version ?? 0
}
