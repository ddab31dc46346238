import { Fragment, type ReactNode, useId } from 'react'
import type { z } from 'zod'
import { errorsOf, schemaOfField } from './field-facts.ts'
import type { FieldOf, FormChange, FormItem, FormItems } from './form-items.ts'
import { resolved, SchemaField } from './SchemaField.tsx'
import styles from './SchemaForm.module.css'

/** Properties of {@link SchemaForm}. */
export interface SchemaFormProps<Values extends object> {
  /** Defines the type and the valid values of each field. */
  schema: z.ZodType<Values>
  /** The fields and other parts, in display order. */
  items: FormItems<NoInfer<Values>>
  /** The values, as parsed by the schema. */
  value: NoInfer<Values>
  /** Called with the changed fields. */
  onChange: (change: FormChange<NoInfer<Values>>) => void
  /** Disables all fields. */
  disabled?: boolean
  /** External errors, for example from the server, by field name. */
  errors?: Readonly<Record<string, string | undefined>>
  /** Whether empty required fields show their error, as after a submit. Default false. */
  showMissing?: boolean
}

/** Renders the fields of a schema in the order of the items. The surrounding container lays them out. */
export function SchemaForm<Values extends object>(props: SchemaFormProps<Values>) {
  const { schema, items, value, onChange, disabled = false, errors = {}, showMissing = false } = props
  const wrong = errorsOf(schema, value)
  const draw = (item: FormItem<Values>): ReactNode => {
    if (isRow(item)) return <div className={styles.row}>{drawAll(item)}</div>
    if ('items' in item)
      return item.section === undefined ? (
        drawAll(item.items)
      ) : (
        <Section heading={item.section}>{drawAll(item.items)}</Section>
      )
    if ('note' in item) return <p className={styles.note}>{resolved(item.note, value)}</p>
    if ('part' in item) return item.part(value, onChange, { disabled, errors, showMissing })
    return (
      <SchemaField
        // The type of the value depends on the field name, which is not known here.
        field={item as unknown as FieldOf<Values, string, unknown>}
        schema={schemaOfField(schema, item.field)}
        values={value}
        disabled={disabled}
        error={errors[item.field]}
        schemaError={wrong[item.field]}
        showMissing={showMissing}
        onChange={onChange}
      />
    )
  }
  const drawAll = (all: FormItems<Values>) =>
    all.map((item, index) =>
      !isRow(item) && item.when?.(value) === false ? null : (
        <Fragment key={'field' in item ? `${index} ${item.field}` : index}>{draw(item)}</Fragment>
      ),
    )
  return drawAll(items)
}

function isRow<Values>(item: FormItem<Values>): item is FormItems<Values> {
  return Array.isArray(item)
}

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <div className={styles.section} role="group" aria-labelledby={id}>
      <p id={id} className={styles.heading}>
        {heading}
      </p>
      {children}
    </div>
  )
}
