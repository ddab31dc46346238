import type { InputHTMLAttributes } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import type { ControlProps } from './Field.tsx'
import { isLimitNote } from './choice-limit.ts'
import { isFocusReturning } from './focus-back.ts'
import styles from './Field.module.css'

/** The classes that style a Mantine select like the other fields. */
export const selectClasses = {
  input: `${styles.control} ${styles.select}`,
  dropdown: styles.dropdown,
  option: styles.option,
  empty: styles.empty,
  section: styles.section,
}

/** Settings of the dropdown list: above dialogs, without animation. */
export const selectComboboxProps = {
  offset: 4,
  zIndex: 500,
  transitionProps: { duration: 0 },
  shadow: 'sm' as const,
  // The list opens above its field if it would otherwise cover the page bar of a phone or a button at the end of a
  // panel.
  middlewares: { flip: { padding: { bottom: 116 } }, shift: true },
}

/** Settings of a list that is as wide as its field: it truncates long choices instead of scrolling sideways. */
export const choiceListProps = {
  maxDropdownHeight: 280,
  scrollAreaProps: { scrollbars: 'y', classNames: { content: styles.choices } },
  renderOption: renderChoice,
} as const

function renderChoice({ option, checked }: { option: Choice; checked?: boolean }) {
  const name = option.label ?? option.value
  if (isLimitNote(option.value)) return <span className={styles.limitNote}>{name}</span>
  return (
    <>
      {checked ? <IconCheck size={12} stroke={2} className={styles.check} aria-hidden="true" /> : null}
      {option.swatches && <Swatches colors={option.swatches} />}
      <span className={styles.choice} title={name}>
        {name}
      </span>
    </>
  )
}

interface Choice {
  value: string
  label?: string
  swatches?: readonly string[]
}

/** The colours of a choice, side by side. */
export function Swatches({ colors }: { colors: readonly string[] }) {
  return (
    <span className={styles.swatches} aria-hidden="true">
      {colors.map((color, index) => (
        <i key={index} style={{ background: color }} />
      ))}
    </span>
  )
}

/**
 * Properties that connect a Mantine field to its error and hint. Mantine replaces `aria-describedby` with the ids of its own
 * notes, so the input is rendered here.
 */
export function noteOf({ 'aria-invalid': error, 'aria-describedby': note }: ControlProps) {
  const renderRoot = ({ onFocus, ...props }: InputHTMLAttributes<HTMLInputElement>) => (
    <input
      {...props}
      aria-describedby={note}
      onFocus={(event) => {
        // Mantine opens the choices on every focus.
        if (!isFocusReturning()) onFocus?.(event)
      }}
    />
  )
  return { error, withErrorStyles: false, renderRoot }
}

/** The arrow of fields with choices. */
export function ChevronDown() {
  return <IconChevronDown size={14} stroke={1.6} aria-hidden="true" />
}
