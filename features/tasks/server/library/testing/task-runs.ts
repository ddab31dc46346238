import { createPipeline, executePipeline, listGeneratedValues } from '@headwater/pipelines/contract'
import { referenceOf } from '@headwater/runs/contract'
import type { Session } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'

/** A task of a pipeline. A value such as `<t0.File>` is the output of an earlier task. */
export interface TestTask {
  /** Name of the kind, or of a saved task. */
  task: string
  /** Group of a saved task. */
  group?: string
  /** Values of the inputs. */
  params: Record<string, string>
  /** Names of the outputs that get references. */
  outputs?: string[]
}

/** Runs the tasks as a pipeline; returns its job, the results of the steps and the values of outputs. */
export type TaskRuns = (...tasks: TestTask[]) => Promise<{
  pipelineId: string
  jobId: string
  steps: { status: string; message: string }[]
  value: (output: string) => string | undefined
}>

let count = 0

/** Returns a function that runs tasks as pipelines of a group. */
export function taskRuns(owner: Session, groupName: string): TaskRuns {
  return async (...tasks) => {
    const references: Record<string, string> = {}
    const nodes = tasks.map(({ task, group = '', params, outputs = [] }, index) => ({
      id: `t${index}`,
      taskReadableName: `t${index}`,
      taskName: task,
      taskGroup: group,
      prevTasks: index === 0 ? [] : [{ id: `t${index - 1}` }],
      taskOverrides: {
        params: [
          ...Object.entries(params).map(([name, value]) => ({
            name,
            value: value.replace(/^<(.+)>$/, (_, key: string) => references[key]!),
          })),
          ...outputs.map((name) => {
            const id = String(++count).padStart(12, '0')
            references[`t${index}.${name}`] = referenceOf(`5f3c0000-0000-4000-8000-${id}`)
            return { name, type: 'OUTPUT', value: references[`t${index}.${name}`] }
          }),
        ],
      },
    }))
    const { pipeline } = await owner.call(createPipeline, {
      body: { name: `flow ${++count}`, groupName, tasks: nodes as never },
    })
    const { jobId } = await owner.call(executePipeline, {
      params: { pipelineId: pipeline.id },
      body: { waitSeconds: 60 } as never,
    })
    const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
    const steps = job!.componentStatuses.map(({ status, message }) => ({ status, message }))
    const { items } = await owner.call(listGeneratedValues, {
      params: { pipelineId: pipeline.id },
      query: { jobId },
    })
    const value = (output: string) => items.find(({ name }) => name === references[output])?.value
    return { pipelineId: pipeline.id, jobId, steps, value }
  }
}
