import { GroupPicker } from '@headwater/groups/web'
import type { FormControlProps } from '@headwater/web-kit'

/** A group that the user may read, as a field of a form; empty for none. */
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
