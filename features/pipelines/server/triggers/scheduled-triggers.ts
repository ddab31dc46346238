import type { Schedule, Trigger as ScheduleTrigger } from '@headwater/schedules/server'
import type { Executor } from '@headwater/server-kit'
import { AppError } from '@headwater/contract'
import { refuseTriggeredRun, startTriggeredRun } from './start-triggered-run.ts'
import type { NewTrigger, TypedDefinition } from './trigger-definitions.ts'
import type { TriggersDependencies } from './triggers-dependencies.ts'
import { triggerScheduleKind } from './triggers-store.ts'

const missedRuns = { ONCE: 'once', SKIP: 'skip', ALL: 'all' } as const

/** Returns the schedule of a trigger; undefined if it has none. */
export function scheduleOf({ type, definition }: TypedDefinition): ScheduleTrigger | undefined {
  if (type === 'CRON') {
    const { cron, timeZone } = definition
    return { cron, timeZone, ...calendarOf(definition) }
  }
  if (type === 'SCHEDULER') {
    const { rule, timeZone, onFreeDay } = definition
    return { rule: { ...rule, timeZone, onFreeDay }, ...calendarOf(definition) }
  }
  return undefined
}

function calendarOf({ holidayCalendar }: { holidayCalendar?: string | null | undefined }) {
  return holidayCalendar ? { holidayCalendar } : {}
}

/** Sets the schedule of a saved trigger, in the transaction of the save. */
export async function setTriggerSchedule(
  { schedules }: Pick<TriggersDependencies, 'schedules'>,
  trigger: NewTrigger,
  executor: Executor,
): Promise<void> {
  const times = scheduleOf(trigger)
  if (times === undefined || !('missedRuns' in trigger.definition)) return
  await schedules.set(
    {
      kind: triggerScheduleKind,
      targetId: trigger.id,
      triggers: [times],
      active: trigger.active,
      setBy: trigger.ownerId,
      missedRuns: missedRuns[trigger.definition.missedRuns],
    },
    executor,
  )
}

/** Registers the handler that starts scheduled runs. */
export function registerScheduledTriggers(deps: TriggersDependencies): void {
  const find = ({ targetId }: Schedule) => deps.triggers.find(targetId)
  deps.schedules.register(triggerScheduleKind, {
    queue: deps.queue,
    async start(schedule, record) {
      const trigger = await find(schedule)
      if (trigger === undefined) return
      const at = schedule.dueAt ?? deps.clock.now()
      try {
        await startTriggeredRun(deps, { trigger, values: {}, at, record })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'tooManyRuns') throw error
        await startTriggeredRun(deps, { trigger, values: {}, at, record, problem: error.message })
      }
    },
    async giveUp(schedule, record) {
      const trigger = await find(schedule)
      const pipeline = trigger && (await deps.store.find({ id: trigger.pipelineId }))
      if (pipeline === undefined) return
      await refuseTriggeredRun(deps, { trigger: trigger!, record }, pipeline, 'Several attempts failed.')
    },
  })
}
