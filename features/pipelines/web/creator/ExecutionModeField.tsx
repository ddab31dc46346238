import { Select } from '@headwater/web-kit'
import { type ExecutionMode, executionModes } from '../../contract/index.ts'

const texts: Readonly<Record<ExecutionMode, { label: string; hint: string }>> = {
  durable: {
    label: 'Durable',
    hint: 'The result of each task is stored when the task ends. A crash repeats only the task that was running.',
  },
  fused: {
    label: 'Fused',
    hint: 'The results of consecutive short built-in tasks are stored together. A crash repeats all of them; their files and series are not stored twice.',
  },
}
const options = executionModes.map((value) => ({ value, label: texts[value].label }))

/** Field for how the tasks of a pipeline are executed, with the advantage and the cost of the selected mode. */
export function ExecutionModeField({
  value,
  editable,
  onChange,
}: {
  value: ExecutionMode
  editable: boolean
  onChange: (mode: ExecutionMode) => void
}) {
  return (
    <Select
      label="Execution mode"
      value={value}
      hint={texts[value].hint}
      options={options}
      disabled={!editable}
      onChange={(mode) => onChange(mode as ExecutionMode)}
    />
  )
}
