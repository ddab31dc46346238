import type { TriggerType } from '@headwater/statuses/contract'
import type { TriggerInput } from '../contract/index.ts'

/** Texts for a type of trigger. */
interface TriggerLabels {
  /** Name of a trigger of this type; none for types that are not saved. */
  name?: string
  /** Label in filters of lists. */
  filter: string
  /** Describes what starts a pipeline without schedules. Default `On demand`. */
  start?: string
  /** Describes what started a run. */
  run: string
}

const labels = {
  ANY: { filter: 'All triggers', run: 'Any' },
  CRON: { name: 'Cron schedule', filter: 'Cron schedule', run: 'Schedule' },
  SCHEDULER: { name: 'Calendar or interval', filter: 'Calendar or interval', run: 'Schedule' },
  FILEARRIVAL: {
    name: 'File arrival',
    filter: 'When a file arrives',
    start: 'When a file arrives',
    run: 'File arrival',
  },
  PIPELINE: {
    name: 'After another pipeline',
    filter: 'After another pipeline',
    start: 'After another pipeline',
    run: 'Pipeline',
  },
  EMAIL: {
    name: 'E-mail',
    filter: 'When an e-mail arrives',
    start: 'When an e-mail arrives',
    run: 'E-mail',
  },
  RETRY: {
    name: 'Retry of failed runs',
    filter: 'Repeats failed runs',
    start: 'On demand; failed runs are repeated',
    run: 'Retry',
  },
  None: { name: 'Webhook', filter: 'On demand', run: 'On demand' },
} as const satisfies Record<TriggerType, TriggerLabels>

/** Types of triggers by which lists are filtered, with the labels that users see. */
export const triggerFilters: readonly { value: TriggerType; label: string }[] = (
  Object.keys(labels) as TriggerType[]
).map((value) => ({ value, label: labels[value].filter }))

/** Names of the types of triggers that users add. */
export const triggerLabels = Object.fromEntries(
  Object.entries(labels).flatMap(([type, each]) => ('name' in each ? [[type, each.name]] : [])),
) as Readonly<Record<TriggerInput['type'], string>>

/** Describes what starts a pipeline without schedules, such as `When a file arrives`. */
export function triggerName(type: TriggerType): string {
  const { start = 'On demand' }: TriggerLabels = labels[type]
  return start
}

/** Returns what started a run, for example `Schedule`. */
export function triggersOfRun(types: readonly TriggerType[]): string {
  return types.map((type) => labels[type].run).join(', ')
}
