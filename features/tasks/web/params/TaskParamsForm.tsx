import type { ReactNode } from 'react'
import IconMathFunction from '@tabler/icons-react/dist/esm/icons/IconMathFunction.mjs'
import { z } from 'zod'
import { SchemaForm, Switch, TextField } from '@headwater/web-kit'
import { isReference } from '@headwater/runs/contract'
import { isTimeZone } from '@headwater/zones'
import { isPauseParam, type ParamMode, type TaskParam } from '../../contract/index.ts'
import { problemOfValue, valueTypeLabels, visibleParams } from '../../core/index.ts'
import { paramFieldOf } from './param-field.tsx'
import { ExpressionField, type ExpressionName } from './ExpressionField.tsx'
import styles from './TaskParamsForm.module.css'

/** A parameter of the form. */
export type FormParam = Pick<
  TaskParam,
  'name' | 'type' | 'valueType' | 'defaultValue' | 'optional' | 'description'
> &
  Partial<Pick<TaskParam, 'choices' | 'condition'>> & {
    /** Label of the field. Default: the name. */
    label?: string
  }

/** Values of parameters by name. */
export type ParamValues = Readonly<Record<string, string>>

const schema = z.record(z.string(), z.string())

/**
 * Fields for the inputs of a task, one per parameter, with the type of each value. Parameters with unmet conditions are hidden.
 * Values are strings; an empty field shows the default, which applies while the value is empty. Scripts and outputs have no
 * field here.
 */
export function TaskParamsForm({
  params,
  values,
  linked = {},
  groupName,
  disabled = false,
  errors = {},
  showMissing = false,
  onChange,
  modes,
  onModeChange,
  names = [],
}: {
  /** Parameters of the task. `defaultValue` is the value that applies while the field is empty. */
  params: readonly FormParam[]
  /** Values by parameter name. Default: empty. */
  values: ParamValues
  /**
   * Inputs that another task provides: the display name of its output, such as `File of “Fetch prices”`, by parameter name.
   * Default: none.
   */
  linked?: ParamValues
  /** Group of the pipeline or task, in which secrets are stored and files are searched first. Default: none. */
  groupName?: string | undefined
  /** Disables all fields. Default false. */
  disabled?: boolean
  /** Errors by parameter name, for example from the server. */
  errors?: Readonly<Record<string, string | undefined>>
  /** Whether empty required fields show an error. Default false. */
  showMissing?: boolean
  /** Called with the changed values. */
  onChange: (change: ParamValues) => void
  /** Modes of the values by parameter name. Default fixed. */
  modes?: Readonly<Record<string, ParamMode>> | undefined
  /** Called when the user switches between a fixed value and an expression. Without it, all values are fixed. */
  onModeChange?: ((name: string, mode: ParamMode) => void) | undefined
  /**
   * Values that expressions can use in addition to the values that every run has, such as outputs of earlier tasks. Default:
   * none.
   */
  names?: readonly ExpressionName[]
}) {
  const inputs = params.filter(({ type, valueType }) => type === 'INPUT' && valueType !== 'SCRIPT')
  const valueOfParam = ({ name }: FormParam) => values[name] ?? ''
  const zone = inputs.find(({ valueType }) => valueType === 'TIME_ZONE')
  const timeZone = zone && (valueOfParam(zone).trim() || zone.defaultValue)
  const visible = visibleParams(
    params
      .filter(({ type }) => type === 'INPUT')
      .map((param) => ({
        ...param,
        value: valueOfParam(param),
        isUnknown:
          param.name in linked || modes?.[param.name] === 'expression' || isReference(valueOfParam(param)),
      })),
  )
  return inputs
    .filter(({ name }) => visible.has(name))
    .map((param) => (
      <ParamItem
        key={param.name}
        param={param}
        value={valueOfParam(param)}
        source={linked[param.name]}
        groupName={groupName}
        timeZone={isTimeZone(timeZone ?? '') ? timeZone : undefined}
        disabled={disabled}
        error={errors[param.name]}
        showMissing={showMissing}
        header={
          onModeChange !== undefined && canBeExpression(param) && !(param.name in linked) ? (
            <ModeButton
              label={param.label ?? param.name}
              isExpression={modes?.[param.name] === 'expression'}
              disabled={disabled}
              onChange={(mode) => onModeChange(param.name, mode)}
            />
          ) : null
        }
        expression={
          modes?.[param.name] === 'expression' && !(param.name in linked) ? (
            <ExpressionField
              param={param}
              params={inputs}
              values={values}
              value={valueOfParam(param)}
              names={names}
              disabled={disabled}
              error={errors[param.name]}
              onChange={(value) => onChange({ [param.name]: value })}
            />
          ) : undefined
        }
        onChange={(value) => onChange({ [param.name]: value })}
      />
    ))
}

/** Returns whether the value of a parameter can be an expression. */
function canBeExpression(param: FormParam): boolean {
  return param.valueType !== 'SECRET' && !isPauseParam(param)
}

function ModeButton({
  label,
  isExpression,
  disabled,
  onChange,
}: {
  label: string
  isExpression: boolean
  disabled: boolean
  onChange: (mode: ParamMode) => void
}) {
  return (
    <button
      type="button"
      className={styles.mode}
      disabled={disabled}
      aria-label={`Expression for ${label}`}
      aria-pressed={isExpression}
      title="Expression"
      onClick={() => onChange(isExpression ? 'fixed' : 'expression')}
    >
      <IconMathFunction size={14} stroke={1.6} />
    </button>
  )
}

function ParamItem({
  param,
  value,
  source,
  groupName,
  timeZone,
  disabled,
  error,
  showMissing,
  header,
  expression,
  onChange,
}: {
  param: FormParam
  value: string
  source: string | undefined
  groupName: string | undefined
  /** Time zone of the task; undefined means UTC. */
  timeZone: string | undefined
  disabled: boolean
  error: string | undefined
  showMissing: boolean
  header: ReactNode
  /** Expression field, which replaces the field for the value. */
  expression: ReactNode | undefined
  onChange: (value: string) => void
}) {
  const { name, label = name, valueType, defaultValue, optional, description } = param
  const isMissing = showMissing && value === '' && defaultValue === '' && !optional
  const problem = isReference(value) ? undefined : problemOfValue(param, value)
  const fieldError = error ?? problem ?? (isMissing ? 'Enter a value.' : undefined)
  return (
    <div className={styles.param}>
      <div className={styles.header}>
        <span className={styles.type} data-value-type={valueType}>
          {valueTypeLabels[valueType]}
        </span>
        {header}
      </div>
      {expression !== undefined ? (
        expression
      ) : source !== undefined ? (
        <TextField
          label={label}
          disabled
          value={source}
          hint="Another task provides this value. Remove the link to enter one."
          onChange={() => {}}
        />
      ) : isPauseParam(param) ? (
        <Switch
          label={label}
          hint={description || 'Runs pause before this task until someone continues them.'}
          disabled={disabled}
          checked={(value || defaultValue).trim().toLowerCase() === 'true'}
          onChange={(checked) => onChange(String(checked))}
        />
      ) : (
        <SchemaForm
          schema={schema}
          items={[paramFieldOf(param, { groupName, timeZone, isReference: isReference(value) })]}
          value={{ [name]: value === '' && valueType === 'BOOLEAN' ? defaultValue : value }}
          disabled={disabled}
          errors={{ [name]: fieldError }}
          onChange={(change) => onChange(change[name] ?? '')}
        />
      )}
    </div>
  )
}
