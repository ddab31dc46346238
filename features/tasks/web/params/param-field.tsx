import { GroupPicker } from '@headwater/groups/web'
import {
  Combobox,
  type FormControlProps,
  type FormField,
  MultiSelect,
  PartBoundary,
  TextField,
  useSlot,
  zoneOptions,
} from '@headwater/web-kit'
import type { ValueType } from '../../contract/index.ts'
import { listOf, listText } from '../../core/index.ts'
import type { FormParam } from './TaskParamsForm.tsx'
import { paramControls } from '../slots.ts'
import { AddressesControl } from './AddressesControl.tsx'
import { SecretControl } from './SecretControl.tsx'
import {
  CronControl,
  DataPrepControl,
  DateTimeControl,
  FileControl,
  SeriesControl,
  type ParamControlProps,
} from './value-controls.tsx'

/** Context of a field, in addition to its parameter. */
export interface ParamContext {
  /** Group of the pipeline or task; undefined if there is none. */
  groupName: string | undefined
  /** Whether the value is a reference to a run value. If so, it is edited as a string. */
  isReference: boolean
  /** Time zone of the cron expressions of the task. Default UTC. */
  timeZone?: string | undefined
}

/** Returns the field for a parameter, with the control for its value type. */
export function paramFieldOf(param: FormParam, context: ParamContext): FormField<Record<string, string>> {
  const { name, label = name, valueType, defaultValue, optional, description, choices = [] } = param
  const shared = {
    field: name,
    label,
    hint: description === '' ? undefined : description,
    placeholder: defaultValue,
    required: !optional && defaultValue === '',
    clearable: optional || defaultValue !== '',
  }
  if (context.isReference) return { ...shared, mono: true }
  const own = (draw: (props: ParamControlProps) => React.ReactNode) => ({
    ...shared,
    control: (props: FormControlProps<string>) => draw({ ...props, groupName: context.groupName }),
  })
  switch (valueType) {
    case 'BOOLEAN':
      return { ...shared, placeholder: undefined, choices: { true: 'Yes', false: 'No' }, clearable: optional }
    case 'CHOICE':
      return { ...shared, as: 'combobox', choices, keepsUnknown: true }
    case 'DATE':
      return { ...shared, as: 'date' }
    case 'GROUP':
      return own(({ groupName: _group, placeholder: _default, ...props }) => (
        <GroupPicker
          {...props}
          writeOnly={false}
          value={props.value === '' ? null : props.value}
          onChange={(group) => props.onChange(group ?? '')}
        />
      ))
    case 'TIME_ZONE':
      return own((props) => (
        <Combobox
          {...fieldProps(props)}
          placeholder={defaultValue || 'Europe/Berlin'}
          value={props.value === '' ? null : props.value}
          options={zoneOptions()}
          onChange={(zone) => props.onChange(zone ?? '')}
        />
      ))
    case 'LIST':
      return own((props) => (
        <MultiSelect
          {...fieldProps(props)}
          allowFree
          placeholder={defaultValue || 'Type an item, then press Enter'}
          value={listOf(props.value)}
          options={choices.map((value) => ({ value, label: value }))}
          onChange={(items) => props.onChange(listText(items))}
        />
      ))
    case 'ADDRESSES':
      return own((props) => <AddressesControl {...props} />)
    case 'FILE':
      return own((props) => <FileControl {...props} />)
    case 'DATA_PREP':
      return own((props) => <DataPrepControl {...props} />)
    case 'INSIGHT':
      return own((props) => <ContributedControl {...props} valueType={valueType} />)
    case 'SERIES':
      return own((props) => <SeriesControl {...props} />)
    case 'SECRET':
      return own((props) => <SecretControl {...props} />)
    case 'CRON':
      return own((props) => <CronControl {...props} timeZone={context.timeZone} />)
    case 'DATE_TIME':
      return own((props) => <DateTimeControl {...props} />)
    case 'DURATION':
      return { ...shared, placeholder: defaultValue || '1h 30m', mono: true }
    default:
      return {
        ...shared,
        mono: valueType === 'NUMBER' || valueType === 'JSON',
        rows: valueType === 'LONG_TEXT' || valueType === 'JSON' ? 5 : 1,
      }
  }
}

function fieldProps({ label, hint, error, required, disabled, clearable }: ParamControlProps) {
  return { label, hint, error: error ?? null, required, disabled, clearable }
}

/** Control that a later feature provides; a text field if that feature is missing. */
function ContributedControl({ valueType, ...props }: ParamControlProps & { valueType: ValueType }) {
  const Control = useSlot(paramControls).find((each) => each.valueType === valueType)?.Control
  if (Control === undefined)
    return (
      <TextField
        {...fieldProps(props)}
        value={props.value}
        placeholder={props.placeholder}
        onChange={props.onChange}
      />
    )
  return (
    <PartBoundary fallback={null}>
      <Control {...props} />
    </PartBoundary>
  )
}
