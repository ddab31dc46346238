import { CronError, nextMoments } from '@headwater/cron'
import { cronTriggerName, pipelineErrors, type PipelineTask } from '../contract/index.ts'
import type { StoredTrigger } from './pipelines-store.ts'

/** The triggers by time among tasks; one that is paused starts nothing. */
export function triggersOf(tasks: readonly PipelineTask[]): StoredTrigger[] {
  return tasks
    .filter(
      ({ taskName, taskGroupName, isPaused }) =>
        taskName === cronTriggerName && taskGroupName === '' && !isPaused,
    )
    .map(({ params }) => {
      const valueOf = (name: string) => params.find((param) => param.name === name)?.value.trim() ?? ''
      return { cron: valueOf('cron'), timeZone: valueOf('timeZone') || 'UTC' }
    })
}

/** The next moment of all triggers. What cannot be read is told with its field. */
export function nextOf(triggers: readonly StoredTrigger[], after: Date): Date {
  const moments = triggers.map(({ cron, timeZone }) => {
    try {
      return nextMoments({ expression: cron, timeZone }, after, 1)[0]!.getTime()
    } catch (error) {
      if (!(error instanceof CronError)) throw error
      const refuse =
        error.part === 'timeZone' ? pipelineErrors.scheduleZoneUnknown : pipelineErrors.scheduleUnreadable
      throw refuse({ reason: error.message })
    }
  })
  return new Date(Math.min(...moments))
}
