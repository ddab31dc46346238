import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { GroupPicker } from '@headwater/groups/web'
import { searchDataPreps } from '@headwater/preps/contract'
import { call, Combobox, type FormItems, SchemaForm } from '@headwater/web-kit'
import type { Tile } from '@headwater/tile-data/contract'
import { editorStyles as styles } from '@headwater/tiles/web'
import { PartTools } from '../components/PartTools.tsx'
import {
  copiedFooterButton,
  footerButton,
  type FooterButton,
  footerButtonNames,
  maxFooterButtons,
  pathOfLink,
} from './footer-button.ts'

/** Maximum number of data preps of a group in the list. */
const offeredPreps = 200

const schema = footerButton.refine(
  ({ link }) => link === '' || pathOfLink(link, location.origin) !== undefined,
  { path: ['link'], error: 'Enter a page of this application, for example /Lake.' },
)

function itemsOf(tiles: readonly Tile[]): FormItems<FooterButton> {
  return [
    { field: 'text', label: 'Text', maxLength: 100 },
    {
      field: 'type',
      label: 'Action',
      placeholder: ({ type }) => `Unknown: ${type.slice(0, 40)}`,
      choices: footerButtonNames,
    },
    {
      note: 'Applies the values in the parameters panel.',
      when: ({ type }) => type === 'SHOW_RESULTS',
    },
    {
      field: 'link',
      label: 'Page',
      maxLength: 2000,
      placeholder: '/Lake',
      when: ({ type }) => type === 'OPEN_LINK',
    },
    {
      field: 'tileId',
      label: 'Tile',
      placeholder: 'Choose a tile',
      choices: tiles.map(({ id, title }) => ({ value: id, label: title === '' ? 'Untitled' : title })),
      when: ({ type }) => type === 'SCROLL_TO_TILE',
    },
    {
      part: ({ dataPrep }, set) => (
        <PrepFields value={dataPrep} onChange={(next) => set({ dataPrep: next })} />
      ),
      when: ({ type }) => type === 'DOWNLOAD_DATA_PREP',
    },
  ]
}

/** The settings of a footer button and its actions. */
export default function FooterButtonEditor({
  button,
  buttons,
  tiles,
  newId,
  onButtons,
  onSelect,
}: {
  button: FooterButton
  buttons: readonly FooterButton[]
  tiles: readonly Tile[]
  newId: () => string
  /** Receives the new list of buttons; consecutive changes of one topic are a single undo step. */
  onButtons: (buttons: FooterButton[], topic?: string) => void
  onSelect: (id: string | undefined) => void
}) {
  const set = (fields: Partial<FooterButton>) =>
    onButtons(
      buttons.map((each) => (each.id === button.id ? { ...button, ...fields } : each)),
      `${button.id} ${Object.keys(fields).join()}`,
    )
  return (
    <div className={styles.fields}>
      <PartTools
        name={button.text === '' ? 'button' : button.text}
        part={button}
        parts={buttons}
        limit={maxFooterButtons}
        copy={() => copiedFooterButton(button, newId(), buttons)}
        onChange={onButtons}
        onSelect={onSelect}
      />
      <SchemaForm schema={schema} items={itemsOf(tiles)} value={button} onChange={set} />
    </div>
  )
}

function PrepFields({
  value,
  onChange,
}: {
  value: FooterButton['dataPrep']
  onChange: (value: FooterButton['dataPrep']) => void
}) {
  const { groupName, name } = value
  const [typed, setTyped] = useState('')
  const query = {
    query: typed.replaceAll(/[=&]/g, ' ').trim(),
    groupName,
    sortBy: 'name' as const,
    size: offeredPreps,
  }
  const preps = useQuery({
    queryKey: [searchDataPreps.name, 'footer', query],
    enabled: groupName !== '',
    queryFn: ({ signal }) => call(searchDataPreps, { query }, { signal }),
    placeholderData: (before) => before,
  })
  return (
    <>
      <GroupPicker
        value={groupName === '' ? null : groupName}
        writeOnly={false}
        onChange={(group) => onChange({ groupName: group ?? '', name: '' })}
      />
      <Combobox
        label="Data prep"
        value={name === '' ? null : name}
        disabled={groupName === ''}
        allowFree
        onSearch={setTyped}
        total={preps.data?.totalSize}
        loading={preps.isFetching}
        options={(preps.data?.items ?? []).map((prep) => ({ value: prep.name, label: prep.name }))}
        onChange={(next) => onChange({ groupName, name: next ?? '' })}
      />
    </>
  )
}
