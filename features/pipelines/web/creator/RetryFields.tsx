import { completeRetryRules, type ErrorClass } from '@headwater/runs/contract'
import { MultiSelect, NumberField } from '@headwater/web-kit'
import type { TaskData } from './draft.ts'

const errorOptions: { value: ErrorClass; label: string }[] = [
  { value: 'timeout', label: 'Timeout' },
  { value: 'connection', label: 'Connection failed' },
  { value: 'unavailable', label: 'Status 429, 5xx' },
  { value: 'script', label: 'Script exception' },
  { value: 'other', label: 'Other errors' },
]

/** Fields of the retries of one task. The fields for delays and errors are visible if the task is retried. */
export function RetryFields({
  data,
  editable,
  onChange,
}: {
  data: TaskData
  editable: boolean
  /** Sets fields of the task; `field` names the changed one. */
  onChange: (change: Partial<TaskData>, field: string) => void
}) {
  const rules = completeRetryRules(data)
  const set = (change: Partial<TaskData>) => onChange(change, Object.keys(change).join(' '))
  const retries = (
    <NumberField
      label="Retries"
      value={rules.retries}
      min={0}
      max={20}
      disabled={!editable}
      onChange={(count) => set({ retries: count ?? 0 })}
    />
  )
  if (rules.retries === 0) return retries
  return (
    <>
      {retries}
      <NumberField
        label="Initial delay (s)"
        value={rules.retryDelay}
        min={0}
        max={3600}
        step="any"
        disabled={!editable}
        onChange={(retryDelay) => set({ retryDelay })}
      />
      <NumberField
        label="Back-off factor"
        hint="Each delay is the previous delay times this factor."
        value={rules.retryBackoff}
        min={1}
        max={10}
        step={0.5}
        disabled={!editable}
        onChange={(retryBackoff) => set({ retryBackoff })}
      />
      <NumberField
        label="Maximum delay (s)"
        value={rules.retryMaxDelay}
        min={0}
        max={3600}
        disabled={!editable}
        onChange={(retryMaxDelay) => set({ retryMaxDelay })}
      />
      <NumberField
        label="Jitter (%)"
        hint="Shortens each delay by a random amount, up to this percentage, so that tasks do not retry at the same time."
        value={Math.round(rules.retryJitter * 100)}
        min={0}
        max={100}
        step={5}
        disabled={!editable}
        onChange={(percent) => set({ retryJitter: percent === undefined ? undefined : percent / 100 })}
      />
      <MultiSelect
        label="Retry on"
        placeholder="Every error"
        value={data.retryOn ?? []}
        options={errorOptions}
        disabled={!editable}
        onChange={(chosen) => set({ retryOn: chosen.length === 0 ? undefined : (chosen as ErrorClass[]) })}
      />
    </>
  )
}
