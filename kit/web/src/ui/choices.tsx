import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import type { ControlProps } from './Field.tsx'
import styles from './Field.module.css'

/** The classes that draw a Mantine select as a field of the house. */
export const selectClasses = {
  input: `${styles.control} ${styles.select}`,
  dropdown: styles.dropdown,
  option: styles.option,
  empty: styles.empty,
  section: styles.section,
}

/** How the list of choices floats: above dialogs, without motion. */
export const selectComboboxProps = {
  offset: 4,
  zIndex: 500,
  transitionProps: { duration: 0 },
  shadow: 'sm' as const,
}

/** Tells a Mantine field that it is wrong: it goes by this alone, and draws it as the house does. */
export function errorOf({ 'aria-invalid': error }: ControlProps) {
  return { error, withErrorStyles: false }
}

export function ChevronDown() {
  return <IconChevronDown size={14} stroke={1.6} aria-hidden="true" />
}
