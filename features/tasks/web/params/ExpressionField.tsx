import { useEffect, useState } from 'react'
import IconBraces from '@tabler/icons-react/dist/esm/icons/IconBraces.mjs'
import { call, IconButton, Menu, TextField } from '@headwater/web-kit'
import { processTaskExpression } from '../../contract/index.ts'
import { createExpressionCheck, type ExpressionResult } from './expression-check.ts'
import type { FormParam, ParamValues } from './TaskParamsForm.tsx'
import styles from './TaskParamsForm.module.css'

/** A value that expressions can use. */
export interface ExpressionName {
  /** String in the expression, such as `run.date` or a reference `${uuid}`. */
  value: string
  /** Display name, such as `File of “Fetch prices”`. */
  label: string
}

/** Values that every run has. */
const runNames: readonly ExpressionName[] = [
  { value: 'run.date', label: 'Day of the run (run.date)' },
  { value: 'run.time', label: 'Start of the run (run.time)' },
  { value: 'run.name', label: 'Name of the pipeline (run.name)' },
  { value: 'run.id', label: 'Id of the run (run.id)' },
]

/** Field for an expression, with the available names and the result, which the server computes after the last change. */
export function ExpressionField({
  param,
  params,
  values,
  value,
  names,
  disabled,
  error,
  onChange,
}: {
  param: FormParam
  /** Parameters of the task. */
  params: readonly FormParam[]
  /** Values of the parameters. */
  values: ParamValues
  value: string
  /** Values in addition to the values that every run has. */
  names: readonly ExpressionName[]
  disabled: boolean
  error: string | undefined
  onChange: (value: string) => void
}) {
  const [result, setResult] = useState<ExpressionResult>()
  const { name, label = name, description, optional } = param
  const others = params.map((each) => ({
    name: each.name,
    valueType: each.valueType,
    value: values[each.name] ?? each.defaultValue,
  }))
  const body = JSON.stringify({ paramName: name, params: others.filter(isShort) })
  useEffect(() => {
    const check = createExpressionCheck(
      (text, signal) =>
        call(
          processTaskExpression,
          { body: { ...(JSON.parse(body) as { paramName: string; params: typeof others }), value: text } },
          { signal },
        ),
      setResult,
    )
    check.change(value)
    return () => check.stop()
  }, [body, value])
  const all = [...names, ...runNames]
  return (
    <>
      <div className={styles.expression}>
        <TextField
          label={label}
          hint={description === '' ? undefined : description}
          mono
          rows={2}
          required={!optional}
          disabled={disabled}
          error={error ?? null}
          value={value}
          placeholder={'"prices " & run.date'}
          onChange={onChange}
        />
        <Menu
          trigger={
            <IconButton
              label={`Insert a value into ${label}`}
              icon={<IconBraces size={15} stroke={1.6} />}
              disabled={disabled}
            />
          }
          items={all.map((each) => ({
            label: each.label,
            onClick: () => onChange(value.trim() === '' ? each.value : `${value} & ${each.value}`),
          }))}
        />
      </div>
      <output className={styles.result} aria-label={`Result of ${label}`}>
        {result === undefined ? null : (
          <>
            <code data-error={result.response === 'ERROR' || undefined}>{result.response}</code>
            {result.message === '' ? null : <span>{result.message}</span>}
          </>
        )}
      </output>
    </>
  )
}

/**
 * Returns whether a value is short enough to be sent. In practice expressions do not use long values, which would make the
 * request large.
 */
function isShort({ value }: { value: string }): boolean {
  return value.length <= 10_000
}
