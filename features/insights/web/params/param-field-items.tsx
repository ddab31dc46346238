import { type FormItem, type FormItems, Switch } from '@headwater/web-kit'
import type { FileReference } from '@headwater/tile-data/contract'
import { FileFields } from '@headwater/tiles/web'
import {
  isLeftToTiles,
  ofOptions,
  type ParamField,
  type ParamKey,
  type ParamSet,
} from '@headwater/tile-data/core'
import { ChoiceField } from './ChoiceField.tsx'

type Chosen = Pick<ParamKey, 'optionsFile' | 'defaultValue'>

/** Fields that select an optional file with the choices of a field. */
export const optionItems: FormItems<Chosen> = [
  {
    field: 'optionsFile',
    label: 'Choices from a file',
    hint: 'A file in the data lake that lists the choices: JSON with value and label, one choice per line, or one line separated by commas.',
    control: ({ label, hint, value, onChange }) => (
      <Switch
        label={label}
        hint={value === undefined ? undefined : hint}
        checked={value !== undefined}
        onChange={(isListed) => onChange(isListed ? fileOf({ groupName: '', fileName: '' }) : undefined)}
      />
    ),
  },
  {
    part: ({ optionsFile }, set) => (
      <FileFields
        value={optionsFile!.value}
        extensions={['json', 'txt', 'csv']}
        onChange={(value) => set({ optionsFile: fileOf(value) })}
      />
    ),
    when: ({ optionsFile }) => optionsFile !== undefined,
  },
]

/** The initial value of a field, selected from all its choices, independent of other fields. */
export function defaultItem<Entry extends Chosen>(
  set: ParamSet,
  about: (entry: Entry) => Pick<ParamField, 'name' | 'kind'>,
): FormItem<Entry> {
  const item: FormItem<Chosen> = {
    field: 'defaultValue',
    label: 'Initial value',
    control: ({ label, value, onChange }, entry) => {
      const field = { ...about(entry as Entry), label, initial: '', ...ofOptions(entry.optionsFile) }
      return (
        <ChoiceField
          set={{ ...set, isHierarchyEnabled: false }}
          field={field}
          chosen={{ [field.name]: value }}
          label={label}
          hint={
            value === '' && isLeftToTiles(set, value)
              ? '“Default” leaves the series of each tile unchanged.'
              : undefined
          }
          onChange={onChange}
        />
      )
    },
  }
  return item as unknown as FormItem<Entry>
}

function fileOf(value: FileReference): NonNullable<ParamKey['optionsFile']> {
  return { type: 'FILE', value }
}
