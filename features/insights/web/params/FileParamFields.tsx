import type { FormItems } from '@headwater/web-kit'
import { useFileTable } from '@headwater/tile-data/web'
import { editorStyles as editor, EntryList, FileFields } from '@headwater/tiles/web'
import {
  resultColumns,
  fileColumn,
  fileOfSet,
  type FileColumn,
  type ParamSet,
} from '@headwater/tile-data/core'
import { defaultItem, optionItems } from './param-field-items.tsx'
import styles from './ParamsPanel.module.css'

const isDate = ({ valueType }: FileColumn) => valueType === 'DATE'

/** The file whose rows are the choices of a set, and the fields of the set, which are columns of the file. */
export function FileParamFields({
  set,
  onChange,
}: {
  set: ParamSet
  onChange: (fields: Partial<ParamSet>) => void
}) {
  const file = fileOfSet(set)
  const table = useFileTable(file, { enabled: true, watched: false })
  const columns = table.results?.[0] === undefined ? [] : resultColumns(table.results[0].result)
  const items: FormItems<FileColumn> = [
    {
      field: 'column',
      label: 'Column',
      allowFree: true,
      placeholder: 'A column of the file',
      choices: columns.map(({ name }) => name),
      change: (column) => {
        const kind = columns.find(({ name }) => name === column)?.kind
        return { column, ...(kind === 'time' ? { valueType: 'DATE' as const } : {}) }
      },
    },
    [
      { field: 'valueType', label: 'Value type', choices: { text: 'Text', DATE: 'Dates' } },
      { field: 'label', label: 'Label', placeholder: ({ column }) => column, maxLength: 100 },
    ],
    {
      when: isDate,
      items: [
        [
          { field: 'defaultValueFrom', label: 'Default from', as: 'date' },
          { field: 'defaultValueTo', label: 'Default to', as: 'date' },
        ],
      ],
    },
    {
      when: (entry) => !isDate(entry),
      items: [
        ...optionItems,
        defaultItem(set, ({ column }: FileColumn) => ({ name: column, kind: 'column' })),
      ],
    },
  ]
  return (
    <>
      <FileFields
        value={file}
        extensions={['csv', 'ncsv', 'tsv', 'txt']}
        onChange={({ groupName, fileName }) => onChange({ csvFile: { groupName, name: fileName, id: '' } })}
      />
      {table.error === null ? null : (
        <p className={styles.problem} role="alert">
          {table.error.message}
        </p>
      )}
      <p className={editor.heading}>Fields</p>
      <EntryList
        kind="Field"
        movable
        schema={fileColumn}
        items={items}
        entries={set.fileColumns}
        onChange={(next) => onChange({ fileColumns: next })}
      />
    </>
  )
}
