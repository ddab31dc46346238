import type { Trigger } from '@headwater/schedules/server'
import type { TaskKind } from '@headwater/tasks/server'
import { cronTriggerName, type StoredPipelineTask } from '../contract/index.ts'

const input = { type: 'INPUT', value: '', dynamic: false } as const

/** Kind of task that runs its pipeline on a schedule. It does nothing within a run. */
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
      ...input,
      name: 'cron',
      valueType: 'CRON',
      defaultValue: '',
      optional: false,
      description: 'Minute, hour, day of the month, month and weekday, such as 0 7 * * 1-5.',
    },
    {
      ...input,
      name: 'timeZone',
      valueType: 'TIME_ZONE',
      defaultValue: 'UTC',
      optional: true,
      description: 'IANA time zone of the schedule. Default UTC.',
    },
  ],
  openParams: false,
  repeatable: true,
  isShort: () => true,
  readsReferences: false,
  run: async () => ({ status: 'INFO', message: '' }),
}

/** Returns the triggers of the active `cron-trigger` tasks. */
export function triggersOf(tasks: readonly StoredPipelineTask[]): Trigger[] {
  return tasks
    .filter(
      ({ taskName, taskGroup, isPaused }) => taskName === cronTriggerName && taskGroup === '' && !isPaused,
    )
    .map(({ taskOverrides }) => {
      const valueOf = (name: string) =>
        taskOverrides.params.find((param) => param.name === name)?.value.trim() ?? ''
      return { cron: valueOf('cron'), timeZone: valueOf('timeZone') || 'UTC' }
    })
}
