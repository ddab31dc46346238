import type { ReactNode } from 'react'
import type { Option } from '../ui/Select.tsx'

/** A value, or a function that derives it from the form values. */
export type Of<Values, Value> = Value | ((values: Values) => Value)

/** The items of a form, in order. A list of items is rendered as a row. */
export type FormItem<Values> =
  FormItems<Values> | FormField<Values> | FormGroup<Values> | FormNote<Values> | FormPart<Values>
/** The parts of a form in display order. */
export type FormItems<Values> = readonly FormItem<Values>[]

interface Conditional<Values> {
  /** Whether the item is visible; default always. */
  when?: (values: Values) => boolean
}

/** Items that are visible together. */
export interface FormGroup<Values> extends Conditional<Values> {
  /** The items of the group. */
  items: FormItems<Values>
  /** A heading, which names the group. */
  section?: string
}

/** A sentence between fields in the secondary text style. */
export interface FormNote<Values> extends Conditional<Values> {
  /** The sentence. */
  note: Of<Values, string>
}

/** Anything other than a single field, for example a picker that sets several fields. */
export interface FormPart<Values> extends Conditional<Values> {
  /** Renders the part. `set` changes fields. `state` is the state of the form, for forms inside the part. */
  part: (values: Values, set: (change: FormChange<Values>) => void, state: FormState) => ReactNode
}

/** The state of a form, in addition to its values. */
export interface FormState {
  /** Whether all fields are disabled. */
  disabled: boolean
  /** External errors, for example from the server, by field name. */
  errors: Readonly<Record<string, string | undefined>>
  /** Whether empty required fields show their error. */
  showMissing: boolean
}

/** A field of the form: its name in the schema and its texts. */
export type FormField<Values> = {
  [Name in FieldName<Values>]: FieldOf<Values, Name, Values[Name]>
}[FieldName<Values>]

/** Some of the fields with their new values. */
export type FormChange<Values> = Partial<Pick<Values, FieldName<Values>>>

/** The field names of a type; any name if the type has no names, for example for a record. */
type FieldName<Values> = [Listed<Values>] extends [never] ? keyof Values & string : Listed<Values>
type Listed<Values> = keyof { [Name in keyof Values as string extends Name ? never : Name]: never } & string

/** A field, identified by its name and value type. */
export interface FieldOf<Values, Name extends string, Value> extends Conditional<Values> {
  /** Name of the field in the schema. */
  field: Name
  /** Label of the field. If the schema defines a unit, it is appended in brackets. */
  label: Of<Values, string>
  /** One sentence below the field. */
  hint?: Of<Values, ReactNode>
  /** Text of the empty field. */
  placeholder?: Of<Values, string | undefined>
  /** Disables the field. */
  disabled?: Of<Values, boolean>
  /** Whether the field must not be empty. Default: derived from the schema. */
  required?: boolean
  /** The control. Default: derived from the schema. */
  as?: 'text' | 'number' | 'switch' | 'checkbox' | 'select' | 'combobox' | 'date' | 'time'
  /** The choices, or their labels by value. Default: the values of the schema as they are. */
  choices?: Of<Values, Choices<NonNullable<Value>>>
  /** Label of the choice for “no value”. */
  none?: string
  /** Whether to add the current value to the choices if they do not contain it. */
  keepsUnknown?: boolean
  /** Whether the field accepts any text; the choices are suggestions. */
  allowFree?: boolean
  /** Lets the user clear the choice. */
  clearable?: boolean
  /** Minimum of a number. Default: the minimum of the schema. */
  min?: number
  /** Maximum of a number. Default: the maximum of the schema. */
  max?: number
  /** Maximum length of a string. Default: the maximum length of the schema. */
  maxLength?: number
  /** Step of the arrow keys of a number. */
  step?: number | 'any'
  /** Number of rows. More than one makes the field a text area. */
  rows?: number
  /** Uses the monospaced font. */
  mono?: boolean
  /** Returns the fields to change for a new value. Default: only the field itself. */
  change?: (value: Value, values: Values) => FormChange<Values>
  /** Renders a custom field instead of the control derived from the schema. */
  control?: (props: FormControlProps<Value>, values: Values) => ReactNode
}

/** Choices in display order, or a label for each value. A flag can have labels for true and false. */
export type Choices<Value> =
  | readonly Option[]
  | readonly string[]
  | (Value extends string | boolean ? Readonly<Record<`${Value}`, string>> : never)

/** Properties of a custom field. */
export interface FormControlProps<Value> {
  /** Label above the control. */
  label: string
  /** One sentence below the control. */
  hint: ReactNode
  /** Text of the empty control. */
  placeholder: string | undefined
  /** Error message. */
  error: string | undefined
  /** Whether the field must not be empty. */
  required: boolean
  /** Disables the control. */
  disabled: boolean
  /** Lets the user clear the choice. */
  clearable: boolean
  /** The current value. */
  value: Value
  /** Called with the new value. */
  onChange: (value: Value) => void
}
