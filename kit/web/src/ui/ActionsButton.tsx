import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { IconButton, type IconButtonProps } from './IconButton.tsx'

/** The ⋯ button that opens the menu with the actions for an object. */
export function ActionsButton({
  name,
  ...rest
}: Omit<IconButtonProps, 'label' | 'icon'> & {
  /** Name of the object. */
  name: string
}) {
  return (
    <IconButton
      {...rest}
      label={`Actions for ${name}`}
      icon={<IconDots size={16} stroke={1.6} aria-hidden="true" />}
    />
  )
}
