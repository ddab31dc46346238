import { useState } from 'react'
import { Combobox, errorMessage } from '@headwater/web-kit'
import {
  isLeftToTiles,
  anyValue,
  noValueLabel,
  type ParamField,
  type ParamSet,
} from '@headwater/tile-data/core'
import { useChoices } from './use-param-choices.ts'
import { useChoosable } from '@headwater/tile-data/web'

/** A field of a parameter set: any value, or a value from its group or file. */
export function ChoiceField({
  set,
  field,
  chosen,
  label = field.label,
  placeholder = isLeftToTiles(set, '') ? noValueLabel : anyValue.label,
  hint,
  onChange,
}: {
  set: ParamSet
  field: ParamField
  /** Chosen values by field name. */
  chosen: Readonly<Record<string, string>>
  label?: string
  placeholder?: string
  hint?: string
  onChange: (value: string) => void
}) {
  const [typed, setTyped] = useState('')
  const value = chosen[field.name] ?? ''
  const isCurrent = typed === value || (value === anyValue.value && typed === anyValue.label)
  // The field initially contains the chosen value; it is not a search term.
  const text = isCurrent ? '' : typed
  const { options, total, loading, error } = useChoices(set, field, chosen, text)
  const choosable = useChoosable()
  // Until the response to the typed text arrives, the options match the previous text.
  const allowed = options.filter((option) => choosable.value(field, option.value, set))
  const offered = allowed.filter((option) => text.includes('*') || contains(option.label, text))
  // Visitors receive only a few values, but always the initial value.
  const known = [value, ...(choosable.limited ? [field.initial] : [])].filter(
    (each) => each !== '' && each !== anyValue.value && !offered.some((option) => option.value === each),
  )
  // Listed last, so that Enter selects a match.
  const others = [...new Set(known)].map((each) => ({ value: each, label: each }))
  const matches = text === '' ? [...others, ...offered] : [...offered, ...others]
  // The chosen value is always an option; otherwise the field would restore the old text.
  const isAnyOffered =
    choosable.any(field, set) && (value === anyValue.value || contains(anyValue.label, text))
  /** Applies typed text: the label of a choice, or for visitors any value, which the server validates. */
  function take(left: string) {
    const typedText = left.trim()
    if (typedText === '' || typedText === value) return
    const all = [...(isAnyOffered ? [anyValue] : []), ...matches]
    const match = all.find(({ label: own }) => own.toLowerCase() === typedText.toLowerCase())
    if (match !== undefined) onChange(match.value)
    else if (choosable.limited && choosable.any(field, set) && isSearched) onChange(typedText)
  }
  const isSearched = set.basicInputParamsType === 'TS' && field.optionsFile === undefined
  return (
    <Combobox
      label={label}
      value={value === '' ? null : value}
      placeholder={placeholder}
      hint={hint}
      clearable
      options={[...(isAnyOffered ? [anyValue] : []), ...matches]}
      loading={loading}
      error={error === null ? undefined : errorMessage(error)}
      total={total - (options.length - allowed.length)}
      {...(isSearched ? { onSearch: setTyped } : {})}
      onLeave={take}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}

function contains(label: string, text: string): boolean {
  return label.toLowerCase().includes(text.trim().toLowerCase())
}
