import type { FormControlProps } from '@headwater/web-kit'
import { GroupPicker } from './GroupPicker.tsx'

/** A form field for a group that the user can read; empty for none. */
export function groupControl({ value, onChange, ...props }: FormControlProps<string>) {
  return (
    <GroupPicker
      {...props}
      value={value === '' ? null : value}
      writeOnly={false}
      onChange={(name) => onChange(name ?? '')}
    />
  )
}
