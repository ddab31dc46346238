import type { ReactNode } from 'react'
import type { z } from 'zod'
import { Checkbox, Switch } from '../ui/Checkbox.tsx'
import { Combobox } from '../ui/Combobox.tsx'
import { DateField, TimeField } from '../ui/DateField.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { type Option, Select } from '../ui/Select.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type FieldFacts, factsOf } from './field-facts.ts'
import type { Choices, FieldOf, FormChange, FormControlProps, Of } from './form-items.ts'

/** A field. Only its form knows the type of its value. */
type AnyField<Values> = FieldOf<Values, string, unknown>

interface ControlProps<Values> {
  field: AnyField<Values>
  facts: FieldFacts
  values: Values
  shared: FormControlProps<unknown>
}

/** Renders one field of a form according to its schema and its item. */
export function SchemaField<Values>({
  field,
  schema,
  values,
  disabled,
  error,
  schemaError,
  showMissing,
  onChange,
}: {
  field: AnyField<Values>
  schema: z.ZodType
  values: Values
  disabled: boolean
  /** External error; it takes precedence over the error of the schema. */
  error: string | undefined
  schemaError: string | undefined
  showMissing: boolean
  onChange: (change: FormChange<Values>) => void
}): ReactNode {
  const facts = factsOf(schema)
  const value = (values as Record<string, unknown>)[field.field]
  const label = resolved(field.label, values)
  const required = field.required ?? facts.isRequired
  const isMissing = required && (value === undefined || value === null || value === '')
  const shared: FormControlProps<unknown> = {
    label: facts.unit === undefined ? label : `${label} (${facts.unit})`,
    hint: resolved(field.hint, values),
    placeholder: resolved(field.placeholder, values),
    required,
    disabled: disabled || resolved(field.disabled, values) === true,
    clearable: field.clearable === true,
    error: error ?? (isMissing && !showMissing ? undefined : schemaError),
    value,
    onChange: (next) => {
      const change = field.change?.(next, values) ?? ({ [field.field]: next } as FormChange<Values>)
      if (Object.keys(change).length > 0) onChange(change)
    },
  }
  if (field.control !== undefined) return field.control(shared, values)
  const control = { field, facts, values, shared }
  switch (field.as ?? defaultControl(field, facts)) {
    case 'switch':
      return <Switch {...flagProps(shared)} />
    case 'checkbox':
      return <Checkbox {...flagProps(shared)} />
    case 'number':
      return <NumberControl {...control} />
    case 'select':
      return <Select {...choiceProps(control)} />
    case 'combobox':
      return <Combobox {...choiceProps(control)} allowFree={field.allowFree} />
    case 'date':
      return <DateField {...textProps(control, dateLength)} />
    case 'time':
      return <TimeField {...textProps(control, timeLength)} />
    case 'text':
      return <TextField {...textProps(control)} {...textLooks(control)} />
  }
}

/** Returns `given`, or its result for the form values if it is a function. */
export function resolved<Values, Value>(given: Of<Values, Value>, values: Values): Value {
  return typeof given === 'function' ? (given as (values: Values) => Value)(values) : given
}

function defaultControl<Values>(
  { field, choices, allowFree }: AnyField<Values>,
  { kind }: FieldFacts,
): NonNullable<AnyField<Values>['as']> {
  if (allowFree) return 'combobox'
  if (kind === 'choice' || choices !== undefined) return 'select'
  if (kind === 'flag') return 'switch'
  if (kind !== 'other') return kind
  throw new Error(`The field “${field}” has no control for its type. Specify one.`)
}

function flagProps({ label, hint, disabled, value, onChange }: FormControlProps<unknown>) {
  return { label, hint, disabled, checked: value === true, onChange }
}

/** Lengths of `2026-01-31` and `07:30:15`. Stored values can be longer. */
const [dateLength, timeLength] = [10, 8]

function textProps<Values>({ facts, shared }: ControlProps<Values>, length = Infinity) {
  return {
    ...shared,
    value: textOf(shared.value).slice(0, length),
    onChange: (text: string) => shared.onChange(text === '' ? facts.empty : text),
  }
}

function textLooks<Values>({ field, facts }: ControlProps<Values>) {
  return { maxLength: field.maxLength ?? facts.maxLength, rows: field.rows, mono: field.mono }
}

function choiceProps<Values>({ field, facts, values, shared }: ControlProps<Values>) {
  const { value, onChange, ...rest } = shared
  const offered = [
    ...(field.none === undefined ? [] : [{ value: '', label: field.none }]),
    ...optionsOf(resolved(field.choices, values) ?? facts.choices),
  ]
  const own = typeof value === 'boolean' ? String(value) : textOf(value)
  const isOffered = offered.some((option) => option.value === own)
  const isUnlisted = (field.keepsUnknown || field.allowFree) && !isOffered && own !== ''
  return {
    ...rest,
    value: isOffered || isUnlisted ? own : null,
    options: isUnlisted && !field.allowFree ? [...offered, { value: own, label: own }] : offered,
    onChange: (chosen: string | null) => {
      const isNone = chosen === null || (chosen === '' && !facts.choices.includes(''))
      onChange(isNone ? facts.empty : facts.kind === 'flag' ? chosen === 'true' : chosen)
    },
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function optionsOf(choices: Choices<unknown> | readonly string[]): readonly Option[] {
  if (!Array.isArray(choices)) return Object.entries(choices).map(([value, label]) => ({ value, label }))
  return choices.map((each: Option | string) =>
    typeof each === 'string' ? { value: each, label: each } : each,
  )
}

/**
 * A field for a number. If the schema replaces invalid values, the field does not report numbers below the minimum, because
 * they can become valid while the user types, and it replaces numbers above the maximum by the maximum. Other schemas report
 * errors themselves.
 */
function NumberControl<Values>({ field, facts, shared }: ControlProps<Values>) {
  const { min = facts.min, max = facts.max, step } = field
  return (
    <NumberField
      {...shared}
      value={typeof shared.value === 'number' ? shared.value : undefined}
      min={min}
      max={max}
      step={step}
      onChange={(typed) => {
        const number = typed !== undefined && facts.isWhole ? Math.round(typed) : typed
        if (number === undefined) shared.onChange(facts.empty)
        else if (!facts.isLenient) shared.onChange(number)
        else if (min === undefined || number >= min) shared.onChange(Math.min(number, max ?? number))
      }}
    />
  )
}
