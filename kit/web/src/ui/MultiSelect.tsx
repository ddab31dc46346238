import { MultiSelect as MantineMultiSelect, Pill, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { nothingFoundText } from './ErrorState.tsx'
import { Field, type FieldProps } from './Field.tsx'
import type { Option } from './Select.tsx'
import { limitChoices } from './choice-limit.ts'
import type { EnterRule } from './first-choice.ts'
import { useTypedChoice } from './use-typed-choice.ts'
import { choiceListProps, noteOf, selectClasses, selectComboboxProps } from './choices.tsx'
import styles from './Field.module.css'
import './choices.css'

/** Properties of {@link MultiSelect}. */
export interface MultiSelectProps extends FieldProps {
  /** Selected values. */
  value: readonly string[]
  /** Called with the new values. */
  onChange: (value: string[]) => void
  /** Choices. */
  options: readonly Option[]
  /** Text of the empty field. */
  placeholder?: string
  /** Called with the typed text if the server filters the choices. */
  onSearch?: (text: string) => void
  /** Number of matches on the server, if `options` can be just the first of them. The list states how many it omits. */
  total?: number | undefined
  /** Whether the field accepts any text (tags). The choices are suggestions then. */
  allowFree?: boolean
  /** With `allowFree`: rule by which Enter selects a choice instead of the typed text. Default: Enter accepts the text. */
  enterRule?: EnterRule
  /** Characters that end a free text, including in pasted texts. Default: comma. */
  separators?: string[]
  /** With `allowFree`: focuses the field when it appears. */
  autoFocus?: boolean
}

const classNames = { ...selectClasses, input: `${styles.control} ${styles.pills}` }

/** A field for selecting several of many choices. */
export function MultiSelect({
  value,
  onChange,
  options,
  placeholder,
  onSearch,
  total,
  allowFree,
  enterRule,
  separators,
  autoFocus,
  ...field
}: MultiSelectProps) {
  const visiblePlaceholder = value.length === 0 ? placeholder : undefined
  const [search, setSearch] = useState('')
  const typedChoice = useTypedChoice()
  const filter = limitChoices({ total, isSearched: onSearch !== undefined, isLoading: false })
  return (
    <Field {...field}>
      {(control) =>
        allowFree ? (
          <TagsInput
            {...control}
            {...noteOf(control)}
            value={[...value]}
            onChange={onChange}
            autoFocus={autoFocus}
            data={options.map((option) => option.value)}
            placeholder={visiblePlaceholder}
            onSearchChange={(text) => {
              setSearch(text)
              onSearch?.(text)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && enterRule?.takes(event.currentTarget, search))
                event.preventDefault()
            }}
            {...(separators === undefined ? {} : { splitChars: separators })}
            classNames={{ ...classNames, options: enterRule?.classOf(search) }}
            renderPill={pillOf(control.id)}
            comboboxProps={selectComboboxProps}
            {...choiceListProps}
            filter={filter}
          />
        ) : (
          <MantineMultiSelect
            {...control}
            {...typedChoice}
            onKeyDown={(event) => {
              // Typed text is not a value yet, and Enter must not submit the form without it.
              if (event.key === 'Enter' && search !== '') event.preventDefault()
            }}
            {...noteOf(control)}
            value={[...value]}
            onChange={onChange}
            data={[...options]}
            searchable
            searchValue={search}
            onSearchChange={(text) => {
              setSearch(text)
              onSearch?.(text)
            }}
            hidePickedOptions
            nothingFoundMessage={search === '' ? 'No more choices.' : nothingFoundText}
            placeholder={visiblePlaceholder}
            classNames={classNames}
            renderPill={pillOf(control.id)}
            comboboxProps={selectComboboxProps}
            {...choiceListProps}
            filter={filter}
          />
        )
      }
    </Field>
  )
}

/**
 * Renders a selected value with a button that removes it.
 * @param inputId id of the input. It gets the focus when the keyboard presses the button
 */
function pillOf(inputId: string) {
  return ({
    option,
    value,
    disabled,
    onRemove,
  }: {
    /** Undefined if the value is not one of the choices. */
    option: { label: string } | undefined
    value?: string | undefined
    disabled?: boolean | undefined
    onRemove?: (() => void) | undefined
  }) => {
    const label = option?.label ?? value ?? ''
    return (
      <Pill
        className={styles.pill}
        withRemoveButton={disabled !== true}
        onRemove={() => onRemove?.()}
        removeButtonProps={{
          'aria-label': `Remove ${label}`,
          'aria-hidden': undefined,
          tabIndex: 0,
          onClick: ({ detail }) => {
            if (detail === 0) document.getElementById(inputId)?.focus()
          },
        }}
      >
        {label}
      </Pill>
    )
  }
}
