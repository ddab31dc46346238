import { useQuery } from '@tanstack/react-query'
import { GroupPicker } from '@headwater/groups/web'
import type { FormItems } from '@headwater/web-kit'
import { useInsightData } from '@headwater/tile-data/web'
import { editorStyles as editor, EntryList } from '@headwater/tiles/web'
import { paramKey, type ParamKey, type ParamSet } from '@headwater/tile-data/core'
import { defaultItem, optionItems } from './param-field-items.tsx'
import { onlyKeyOf, symbolKeysQuery, valueOfTiles } from './symbol-keys.ts'

/** Fields of a series parameter set: the group that supplies the choices, and its keys. */
export function SeriesParamFields({
  set,
  onChange,
}: {
  set: ParamSet
  onChange: (fields: Partial<ParamSet>) => void
}) {
  const { groupName } = set
  const { content } = useInsightData()
  const keys = useQuery({ ...symbolKeysQuery(groupName), enabled: groupName !== '' })
  const offered = keys.data?.items ?? []
  const items: FormItems<ParamKey> = [
    {
      field: 'symbolKey',
      label: 'Key',
      allowFree: true,
      placeholder: 'Key or metadata field',
      choices: [...new Set(offered.map(({ name }) => name))],
      change: (symbolKey) => {
        const known = offered.find(({ name }) => name === symbolKey)
        if (known === undefined) return { symbolKey }
        if (known.kind === 'metadata') return { symbolKey, symbolType: 'METADATA', defaultValue: '' }
        return { symbolKey, symbolType: 'SYMBOL', defaultValue: valueOfTiles(symbolKey, content) }
      },
    },
    [
      { field: 'symbolType', label: 'Kind', choices: { SYMBOL: 'Symbol', METADATA: 'Metadata' } },
      { field: 'label', label: 'Label', placeholder: ({ symbolKey }) => symbolKey, maxLength: 100 },
    ],
    ...optionItems,
    defaultItem(set, ({ symbolKey, symbolType }: ParamKey) => ({
      name: symbolKey,
      kind: symbolType === 'METADATA' ? 'metadata' : 'symbol',
    })),
  ]
  return (
    <>
      <GroupPicker
        value={groupName === '' ? null : groupName}
        writeOnly={false}
        clearable
        onChange={(name) => onChange({ groupName: name ?? '' })}
      />
      <p className={editor.heading}>Fields</p>
      <EntryList
        kind="Field"
        movable
        schema={paramKey}
        items={items}
        entries={set.keys}
        newEntry={() => paramKey.parse({ symbolKey: onlyKeyOf(offered, set.keys) })}
        onChange={(next) => onChange({ keys: next })}
      />
    </>
  )
}
