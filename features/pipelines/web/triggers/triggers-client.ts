import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, intervals, refreshEvery, routeKey } from '@headwater/web-kit'
import {
  getPipelineByName,
  getPipelineSchedule,
  searchPipelines,
  setPipelineSchedule,
  type PipelineTrigger,
  type TriggerInput,
} from '../../contract/index.ts'
import { inputOf } from './new-trigger.ts'

/** Query of the triggers of a pipeline; refreshes every 10 minutes. */
export function useTriggers(pipelineId: string | undefined) {
  const input = { params: { pipelineId: pipelineId ?? '' } }
  return useQuery({
    queryKey: routeKey(getPipelineSchedule, input),
    queryFn: ({ signal }) => call(getPipelineSchedule, input, { signal }),
    refetchInterval: refreshEvery(intervals.triggerLookupMs),
    enabled: pipelineId !== undefined,
  })
}

/** Calls that add, change and delete one trigger of a pipeline. Other triggers do not change on the server. */
export function useTriggerCalls(pipelineId: string) {
  const client = useQueryClient()
  const params = { pipelineId }

  async function set(
    change: (stored: readonly PipelineTrigger[]) => TriggerInput[],
  ): Promise<PipelineTrigger[]> {
    const { schedulerTriggers: stored } = await call(getPipelineSchedule, { params })
    const body = { schedulerTriggers: change(stored) }
    const saved = await call(setPipelineSchedule, { params, body }, { keep: true })
    for (const route of [getPipelineSchedule, searchPipelines, getPipelineByName])
      void client.invalidateQueries({ queryKey: routeKey(route) })
    return saved.schedulerTriggers
  }
  return {
    /** Saves a trigger and returns it as stored, a new webhook with its secret. A trigger without an id is added. */
    async save(trigger: TriggerInput): Promise<PipelineTrigger> {
      const isNew = trigger.id === undefined
      const saved = await set((stored) => {
        if (isNew) return [...stored.map(inputOf), trigger]
        if (stored.every(({ id }) => id !== trigger.id))
          throw new Error('This trigger was deleted. Close the form and add it again.')
        return stored.map((each) => (each.id === trigger.id ? trigger : inputOf(each)))
      })
      return (isNew ? saved.at(-1) : saved.find(({ id }) => id === trigger.id))!
    },
    async remove(id: string): Promise<void> {
      await set((stored) => stored.filter((each) => each.id !== id).map(inputOf))
    },
  }
}
