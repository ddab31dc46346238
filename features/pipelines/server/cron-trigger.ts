import type { Trigger } from '@headwater/schedules/server'
import type { TaskKind } from '@headwater/tasks/server'
import { cronTriggerName, type PipelineTask } from '../contract/index.ts'

const text = { type: 'INPUT', valueType: 'TEXT', value: '', dynamic: false } as const

/** The kind of task that starts a pipeline by time. In a run it has nothing to do. */
export const cronTrigger: TaskKind = {
  definitionId: cronTriggerName,
  definitionName: cronTriggerName,
  readableName: 'Schedule',
  category: 'Triggers',
  description: 'Runs the pipeline on a schedule.',
  imageUrl: null,
  cpu: 1,
  memory: 64,
  timeout: 1,
  params: [
    {
      ...text,
      name: 'cron',
      defaultValue: '',
      optional: false,
      description: 'Minute, hour, day of the month, month and weekday, such as `0 7 * * 1-5`.',
    },
    {
      ...text,
      name: 'timeZone',
      defaultValue: 'UTC',
      optional: true,
      description: 'IANA zone whose clocks count. Default UTC.',
    },
  ],
  openParams: false,
  repeatable: true,
  readsReferences: false,
  run: async () => ({ status: 'INFO', message: '' }),
}

/** The triggers by time among tasks; one that is paused starts nothing. */
export function triggersOf(tasks: readonly PipelineTask[]): Trigger[] {
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
