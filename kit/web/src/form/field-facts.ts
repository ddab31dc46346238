import { fieldProblems } from './field-problems.ts'
import type { z } from 'zod'

/** Kind of a field's value. */
export type FieldKind = 'text' | 'number' | 'flag' | 'choice' | 'date' | 'time' | 'other'

/** Properties of a field, derived from its schema. */
export interface FieldFacts {
  /** Kind of value, which selects the control. */
  kind: FieldKind
  /** The values of a choice, in the order of the schema. */
  choices: readonly string[]
  /** Minimum of a number. */
  min: number | undefined
  /** Maximum of a number. */
  max: number | undefined
  /** Maximum length of a string. */
  maxLength: number | undefined
  /** Whether a number has no fraction. */
  isWhole: boolean
  /** The unit of a number, from the metadata of the schema: `.meta({ unit: 's' })`. */
  unit: string | undefined
  /** Whether the field must not be empty. */
  isRequired: boolean
  /** Whether the schema replaces invalid values instead of rejecting them. */
  isLenient: boolean
  /** The value of an empty field: null, an empty string, or the schema's default. */
  empty: unknown
}

/** Returns the properties of a field. Looks inside wrappers such as `catch`, `optional` and `pipe`. */
export function factsOf(schema: z.ZodType): FieldFacts {
  const { inner, unit } = unwrap(schema)
  const kind = kindOf(inner)
  const { minValue, maxValue, format } = inner as z.ZodNumber
  return {
    kind,
    unit,
    choices: kind === 'choice' ? [...inner._zod.values!].map(String) : [],
    min: boundOf(minValue),
    max: boundOf(maxValue),
    isWhole: format === 'safeint',
    maxLength: boundOf((inner as z.ZodString).maxLength),
    isRequired: isRequired(schema, kind),
    // Only a lenient schema accepts an object.
    isLenient: schema.safeParse({}).success,
    empty: emptyOf(schema, kind),
  }
}

/** Returns the schema of a field of an object or of a record. All fields of a record have the same schema. */
export function schemaOfField(schema: z.ZodType, field: string): z.ZodType {
  const def = defOf(unwrap(schema).inner)
  const fieldSchema =
    def.type === 'object' ? def.shape[field] : def.type === 'record' ? def.valueType : undefined
  if (fieldSchema === undefined) throw new Error(`The schema of the form has no field “${field}”.`)
  return fieldSchema as z.ZodType
}

/** Returns the first error of each field of a value, by the name of the field. */
export function errorsOf(schema: z.ZodType, value: unknown): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { field, message } of fieldProblems(schema, value)) errors[field.split('.')[0]!] ??= message
  return errors
}

function unwrap(schema: z.ZodType): { inner: z.ZodType; unit: string | undefined } {
  let inner = schema
  let unit: unknown
  for (let next: z.core.$ZodType | undefined = schema; next !== undefined; next = innerOf(inner)) {
    inner = next as z.ZodType
    unit ??= inner.meta()?.unit
  }
  return { inner, unit: typeof unit === 'string' ? unit : undefined }
}

/** Returns the wrapped schema. For a union, returns the first option without a conversion. */
function innerOf(schema: z.ZodType): z.core.$ZodType | undefined {
  const def = defOf(schema)
  switch (def.type) {
    case 'catch':
    case 'default':
    case 'prefault':
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'readonly':
      return def.innerType
    case 'pipe':
      return def.out._zod.def.type === 'transform' ? def.in : def.out
    case 'union':
      return def.options.find((option) => option._zod.def.type !== 'pipe')
    default:
      return undefined
  }
}

function defOf(schema: z.ZodType) {
  return (schema as unknown as z.core.$ZodTypes)._zod.def
}

function kindOf(schema: z.ZodType): FieldKind {
  const { format } = schema as z.ZodString
  switch (defOf(schema).type) {
    case 'enum':
    case 'literal':
      return 'choice'
    case 'boolean':
      return 'flag'
    case 'number':
      return 'number'
    case 'string':
      return format === 'date' || format === 'time' ? format : 'text'
    default:
      return 'other'
  }
}

/** Returns a limit of a schema. Ignores the implicit limits of safe integers. */
function boundOf(limit: unknown): number | undefined {
  return typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined
}

function isRequired(schema: z.ZodType, kind: FieldKind): boolean {
  if (kind === 'flag' || kind === 'other') return false
  const empty = [undefined, null, ...(isText(kind) ? [''] : [])]
  return empty.every((value) => !schema.safeParse(value).success)
}

function emptyOf(schema: z.ZodType, kind: FieldKind): unknown {
  const isAsGiven = (value: unknown) => {
    const parsed = schema.safeParse(value)
    return parsed.success && parsed.data === value
  }
  if (isAsGiven(null)) return null
  if (isText(kind) && isAsGiven('')) return ''
  const absent = schema.safeParse(undefined)
  return absent.success ? absent.data : isText(kind) ? '' : undefined
}

function isText(kind: FieldKind): boolean {
  return kind === 'text' || kind === 'date' || kind === 'time'
}
