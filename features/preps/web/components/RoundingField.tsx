import { roundingModes } from '@headwater/symbols/contract'
import { Select } from '@headwater/web-kit'

type RoundingMode = (typeof roundingModes)[number]

const modes: Readonly<Record<RoundingMode, { label: string; hint: string }>> = {
  HALF_UP: { label: 'Half up', hint: 'To the nearest value; 0.125 becomes 0.13.' },
  HALF_EVEN: { label: 'Half even', hint: 'To the nearest value; 0.125 becomes 0.12, 0.135 becomes 0.14.' },
  UP: { label: 'Up', hint: 'Away from zero: 0.121 becomes 0.13, -0.121 becomes -0.13.' },
  DOWN: { label: 'Down', hint: 'Towards zero: 0.129 becomes 0.12, -0.129 becomes -0.12.' },
  CEILING: { label: 'Ceiling', hint: 'To the higher value: 0.121 becomes 0.13, -0.129 becomes -0.12.' },
  FLOOR: { label: 'Floor', hint: 'To the lower value: 0.129 becomes 0.12, -0.121 becomes -0.13.' },
}
const options = roundingModes.map((value) => ({ value, label: modes[value].label }))

/** Field for the rounding mode. */
export function RoundingField({
  value,
  disabled = false,
  onChange,
}: {
  value: RoundingMode
  disabled?: boolean
  onChange: (value: RoundingMode) => void
}) {
  return (
    <Select
      label="Rounding"
      value={value}
      options={options}
      disabled={disabled}
      hint={modes[value].hint}
      onChange={(next) => onChange(roundingModes.find((mode) => mode === next) ?? value)}
    />
  )
}
