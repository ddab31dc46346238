import { Autocomplete, Select as MantineSelect, type OptionsFilter } from '@mantine/core'
import { useState } from 'react'
import { loadMoreWithinPx } from '../call/intervals.ts'
import { nothingFoundText } from './ErrorState.tsx'
import { Field } from './Field.tsx'
import type { SelectProps } from './Select.tsx'
import { Spinner } from './Spinner.tsx'
import { limitChoices } from './choice-limit.ts'
import { ChevronDown, choiceListProps, noteOf, selectClasses, selectComboboxProps } from './choices.tsx'
import { useTypedChoice } from './use-typed-choice.ts'
import type { EnterRule } from './first-choice.ts'
import './choices.css'

/** Properties of {@link Combobox}. */
export interface ComboboxProps extends SelectProps {
  /**
   * Called with the typed text if the server filters the choices. Until the response arrives, the field filters the
   * previous choices itself.
   */
  onSearch?: (text: string) => void
  /** Number of matches on the server, if `options` can be just the first of them. The list states how many it omits. */
  total?: number | undefined
  /** Whether the server can have more matches than `total`. Default false. */
  totalIsAtLeast?: boolean | undefined
  /** Called with the text in the field when it loses the focus. Not used with `allowFree`. */
  onLeave?: (text: string) => void
  /** Called when the list is scrolled near its end, to load more choices. Not used with `allowFree`. */
  onEndReached?: () => void
  /** Whether more choices are loading. */
  loading?: boolean
  /** Text when no choice matches. Default 'Sorry, nothing found!'. */
  nothingFound?: string
  /** Whether the field accepts any text. The choices are suggestions then. */
  allowFree?: boolean
  /** With `allowFree`: rule by which Enter selects a choice instead of the typed text. Default: Enter accepts the text. */
  enterRule?: EnterRule
  /** With `allowFree`: focuses the field when it appears. Default false. */
  autoFocus?: boolean
}

/** A field for one of many choices, filtered by typing. */
export function Combobox({
  value,
  onChange,
  options,
  clearable,
  placeholder,
  onSearch,
  total,
  totalIsAtLeast,
  onLeave,
  onEndReached,
  loading,
  nothingFound = nothingFoundText,
  allowFree,
  enterRule,
  autoFocus = false,
  ...field
}: ComboboxProps) {
  const [search, setSearch] = useState('')
  const typedChoice = useTypedChoice()
  // Until the server responds, the options belong to the previous text, and Enter must not select one of them.
  const isSearched = onSearch !== undefined
  const limited = limitChoices({ total, totalIsAtLeast, isSearched, isLoading: loading === true })
  const unlimited = isSearched && !loading ? everyChoice : undefined
  const labels = options.map((option) => (option.label === option.value ? option.value : option.label))
  return (
    <Field {...field}>
      {(control) =>
        allowFree ? (
          <Autocomplete
            {...control}
            {...noteOf(control)}
            autoFocus={autoFocus}
            data-autofocus={autoFocus || undefined}
            value={value ?? ''}
            onChange={(text) => {
              onChange(text === '' ? null : text)
              onSearch?.(text)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && enterRule?.takes(event.currentTarget, value ?? ''))
                event.preventDefault()
            }}
            data={[...new Set(labels)]}
            placeholder={placeholder}
            classNames={{ ...selectClasses, options: enterRule?.classOf(value ?? '') }}
            comboboxProps={selectComboboxProps}
            rightSection={loading ? <Spinner /> : <ChevronDown />}
            rightSectionPointerEvents="none"
            {...choiceListProps}
            filter={limited}
          />
        ) : (
          <MantineSelect
            {...control}
            {...noteOf(control)}
            {...typedChoice}
            value={value}
            onChange={onChange}
            // Selects the whole name, so that typing replaces it. The field does not select it when the choices open.
            onFocus={(event) => event.currentTarget.select()}
            onBlur={(event) => onLeave?.(event.currentTarget.value)}
            data={[...options]}
            searchable
            searchValue={search}
            onSearchChange={(text) => {
              setSearch(text)
              onSearch?.(text)
            }}
            clearable={clearable}
            allowDeselect={false}
            placeholder={placeholder}
            classNames={selectClasses}
            comboboxProps={selectComboboxProps}
            nothingFoundMessage={onSearch && loading ? 'Searching…' : nothingFound}
            rightSection={loading ? <Spinner /> : clearable && value !== null ? undefined : <ChevronDown />}
            rightSectionPointerEvents={clearable && value !== null && !loading ? 'all' : 'none'}
            {...choiceListProps}
            scrollAreaProps={{
              ...choiceListProps.scrollAreaProps,
              ...(onEndReached === undefined
                ? {}
                : {
                    viewportProps: {
                      onScroll: ({ currentTarget: list }) => {
                        if (list.scrollHeight - list.scrollTop - list.clientHeight <= loadMoreWithinPx)
                          onEndReached()
                      },
                    },
                  }),
            }}
            selectFirstOptionOnChange
            filter={onEndReached === undefined ? limited : unlimited}
          />
        )
      }
    </Field>
  )
}

const everyChoice: OptionsFilter = ({ options }) => options
